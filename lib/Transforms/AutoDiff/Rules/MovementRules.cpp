//===- MovementRules.cpp - derivatives of movement ------------------------===//
//
// Ops that move elements are linear: the tangent is the op itself, the cotangent
// moves back (and adds where an element was repeated).
//
//===----------------------------------------------------------------------===//

#include "RuleSupport.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::mindir;

static SmallVector<Value> getOperandSizes(VJPContext &ctx, unsigned i) {
  return getDynamicSizes(getTensorType(ctx.op->getOperand(i)),
                         [&](int64_t dim) { return ctx.operandDim(i, dim); });
}

static Value transposeReshape(VJPContext &ctx, unsigned, Value g) {
  return ReshapeOp::create(ctx.builder, ctx.loc(),
                           ctx.op->getOperand(0).getType(), g,
                           getOperandSizes(ctx, 0));
}

static Value transposeBroadcast(VJPContext &ctx, unsigned, Value g) {
  Arith a(ctx.builder, ctx.loc());
  RankedTensorType input = getTensorType(ctx.op->getOperand(0));
  RankedTensorType result = getTensorType(g);
  int64_t offset = result.getRank() - input.getRank();
  SmallVector<int64_t> repeated, unit;
  for (int64_t i = 0; i < result.getRank(); ++i) {
    bool isNew = i < offset;
    if (isNew || (input.getDimSize(i - offset) == 1 && result.getDimSize(i) != 1))
      repeated.push_back(i);
    if (!isNew && repeated.size() && repeated.back() == i)
      unit.push_back(i - offset);
  }
  return repeated.empty() ? g : insertUnitDims(a, a.sum(g, repeated), unit);
}

static Value transposeTranspose(VJPContext &ctx, unsigned, Value g) {
  auto permutation = cast<TransposeOp>(ctx.op).getPermutation();
  return TransposeOp::create(ctx.builder, ctx.loc(), g,
                             invertPermutationVector(permutation));
}

static Value transposeReverse(VJPContext &ctx, unsigned, Value g) {
  return ReverseOp::create(ctx.builder, ctx.loc(), g,
                           cast<ReverseOp>(ctx.op).getAxes());
}

//===----------------------------------------------------------------------===//
// Slice and pad
//===----------------------------------------------------------------------===//

static Value scalarZero(Arith &a, Type elementType) {
  return buildSplat(a.builder, a.loc, RankedTensorType::get({}, elementType), 0,
                    nullptr);
}

static Value toPosition(Arith &a, int64_t position) {
  return ConstantOp::create(
      a.builder, a.loc,
      DenseElementsAttr::get(RankedTensorType::get({}, a.builder.getI64Type()),
                             ArrayRef<int64_t>{position}));
}

static SmallVector<Value> toPositions(Arith &a, ArrayRef<int64_t> positions) {
  SmallVector<Value> values;
  for (int64_t position : positions)
    values.push_back(toPosition(a, position));
  return values;
}

/// Zeros between (a stride's) elements, and around them where the sizes are
/// known; else the elements are written into zeros of the input's sizes.
static Value transposeSlice(VJPContext &ctx, unsigned, Value g) {
  Arith a(ctx.builder, ctx.loc());
  auto op = cast<SliceOp>(ctx.op);
  RankedTensorType input = getTensorType(op.getInput());
  RankedTensorType result = getTensorType(g);
  int64_t rank = input.getRank();
  SmallVector<int64_t> none(rank, 0), low(rank), high(rank), interior(rank);
  for (int64_t i = 0; i < rank; ++i) {
    int64_t size = result.getDimSize(i), stride = op.getStrides()[i];
    interior[i] = stride - 1;
    low[i] = op.getStarts()[i];
    high[i] = input.getDimSize(i) - low[i] - std::max<int64_t>(0, (size - 1) * stride + 1);
  }
  Value zero = scalarZero(a, input.getElementType());
  if (input.hasStaticShape() && result.hasStaticShape())
    return PadOp::create(a.builder, a.loc, g, zero, low, high, interior);
  Value spread = PadOp::create(a.builder, a.loc, g, zero, none, none, interior);
  return DynamicUpdateSliceOp::create(a.builder, a.loc, input,
                                      ctx.operandZero(0), spread,
                                      toPositions(a, op.getStarts()));
}

/// The elements of `tensor` that `pad` took from its input.
static Value takeUnpadded(Arith &a, PadOp op, Value tensor) {
  RankedTensorType type = getTensorType(tensor);
  int64_t rank = type.getRank();
  SmallVector<int64_t> limits(rank, SliceOp::kEnd), strides, zeros(rank, 0);
  SmallVector<int64_t> blockShape(type.getShape());
  SmallVector<Value> sizes;
  bool isBlock = false;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t high = op.getHigh()[i];
    strides.push_back(op.getInterior()[i] + 1);
    if (!type.isDynamicDim(i)) {
      limits[i] = type.getDimSize(i) - high;
      continue;
    }
    isBlock |= high != 0;
    Value count = arith::ConstantIndexOp::create(a.builder, a.loc, high);
    Value size = buildDim(a.builder, a.loc, tensor, i);
    sizes.push_back(arith::SubIOp::create(a.builder, a.loc, size, count));
  }
  // A limit that is neither known nor the end: cut the block first.
  if (isBlock)
    tensor = DynamicSliceOp::create(
        a.builder, a.loc, RankedTensorType::get(blockShape, type.getElementType()),
        tensor, toPositions(a, zeros), sizes);
  // An empty input leaves nothing between low and the limit.
  SmallVector<int64_t> starts(op.getLow());
  for (int64_t i = 0; i < rank; ++i)
    if (limits[i] != SliceOp::kEnd)
      starts[i] = std::min(starts[i], limits[i]);
  return SliceOp::create(a.builder, a.loc, tensor, starts, limits, strides);
}

static Value transposePad(VJPContext &ctx, unsigned i, Value g) {
  Arith a(ctx.builder, ctx.loc());
  auto op = cast<PadOp>(ctx.op);
  if (i == 0)
    return takeUnpadded(a, op, g);
  // The value's share is all that is not the input's.
  Type elementType = getTensorType(g).getElementType();
  Value one = buildSplat(a.builder, a.loc, RankedTensorType::get({}, elementType),
                         1, nullptr);
  Value isPadding = PadOp::create(a.builder, a.loc, ctx.operandZero(0), one,
                                  op.getLow(), op.getHigh(), op.getInterior());
  Value condition = a.compare(ComparePredicate::ne, isPadding, a.splat(isPadding, 0));
  return a.sum(a.where(condition, castTo(a.builder, a.loc, g, isPadding.getType())),
               getAllAxes(g));
}

//===----------------------------------------------------------------------===//
// Concat
//===----------------------------------------------------------------------===//

/// The part of `g` that came from input `i`, which starts where the others end.
static Value transposeConcat(VJPContext &ctx, unsigned i, Value g) {
  Arith a(ctx.builder, ctx.loc());
  int64_t axis = cast<ConcatOp>(ctx.op).getAxis();
  RankedTensorType type = getTensorType(ctx.op->getOperand(i));
  SmallVector<int64_t> starts(type.getRank(), 0), ones(type.getRank(), 1);
  Value unknownStart;
  for (unsigned j = 0; j < i; ++j) {
    RankedTensorType before = getTensorType(ctx.op->getOperand(j));
    if (!before.isDynamicDim(axis)) {
      starts[axis] += before.getDimSize(axis);
      continue;
    }
    Value dim = ctx.operandDim(j, axis);
    unknownStart = unknownStart ? arith::AddIOp::create(a.builder, a.loc,
                                                        unknownStart, dim)
                                : dim;
  }
  if (!unknownStart && !type.isDynamicDim(axis)) {
    SmallVector<int64_t> limits(type.getRank(), SliceOp::kEnd);
    limits[axis] = starts[axis] + type.getDimSize(axis);
    return SliceOp::create(a.builder, a.loc, g, starts, limits, ones);
  }
  SmallVector<Value> positions = toPositions(a, starts);
  if (unknownStart)
    positions[axis] = AddOp::create(a.builder, a.loc, positions[axis],
                                    mindir::toPosition(a, unknownStart));
  return DynamicSliceOp::create(a.builder, a.loc, type, g, positions,
                                getOperandSizes(ctx, i));
}

//===----------------------------------------------------------------------===//
// Blocks at dynamic positions
//===----------------------------------------------------------------------===//

/// Primal values of `count` operands from `first`.
static SmallVector<Value> getOperands(VJPContext &ctx, unsigned first,
                                      unsigned count) {
  SmallVector<Value> values;
  for (unsigned i = first; i < first + count; ++i)
    values.push_back(ctx.operand(i));
  return values;
}

static Value transposeDynamicSlice(VJPContext &ctx, unsigned, Value g) {
  auto op = cast<DynamicSliceOp>(ctx.op);
  return DynamicUpdateSliceOp::create(
      ctx.builder, ctx.loc(), op.getInput().getType(), ctx.operandZero(0), g,
      getOperands(ctx, 1, op.getStarts().size()));
}

static Value transposeDynamicUpdateSlice(VJPContext &ctx, unsigned i, Value g) {
  auto op = cast<DynamicUpdateSliceOp>(ctx.op);
  SmallVector<Value> starts = getOperands(ctx, 2, op.getStarts().size());
  if (i == 0)
    return DynamicUpdateSliceOp::create(ctx.builder, ctx.loc(), g.getType(), g,
                                        ctx.operandZero(1), starts);
  return DynamicSliceOp::create(ctx.builder, ctx.loc(), op.getUpdate().getType(),
                                g, starts, getOperandSizes(ctx, 1));
}

void mindir::attachMovementRules(MLIRContext *context) {
  attachLinear<ReshapeOp, transposeReshape>(context);
  attachLinear<BroadcastToOp, transposeBroadcast>(context);
  attachLinear<TransposeOp, transposeTranspose>(context);
  attachLinear<ReverseOp, transposeReverse>(context);
  attachLinear<SliceOp, transposeSlice>(context);
  attachLinear<PadOp, transposePad>(context);
  attachLinear<ConcatOp, transposeConcat>(context);
  attachLinear<DynamicSliceOp, transposeDynamicSlice>(context);
  attachLinear<DynamicUpdateSliceOp, transposeDynamicUpdateSlice>(context);
}
