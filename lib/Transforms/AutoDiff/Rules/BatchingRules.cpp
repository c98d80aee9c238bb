//===- BatchingRules.cpp - vmap rules of ops that are not elementwise -----===//
//
// Elementwise ops need no rule. Most others are the op itself with its axes moved by
// one; where no single op computes all lanes, a loop does.
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

#include "../VMap.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::mindir;

static SmallVector<int64_t> shifted(ArrayRef<int64_t> axes) {
  return llvm::map_to_vector(axes, [](int64_t axis) { return axis + 1; });
}

static SmallVector<int64_t> prepended(int64_t first, ArrayRef<int64_t> rest) {
  SmallVector<int64_t> values{first};
  llvm::append_range(values, rest);
  return values;
}

//===----------------------------------------------------------------------===//
// Reductions, normalizations
//===----------------------------------------------------------------------===//

template <typename OpTy>
static LogicalResult reduce(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<OpTy>(l.op);
  results.push_back(OpTy::create(l.builder, l.loc, l.get(0), shifted(op.getAxes()),
                                 op.getKeepDims()));
  return success();
}

/// Ops of one operand with one axis: argmax, softmax and the like.
template <typename OpTy>
static LogicalResult alongAxis(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<OpTy>(l.op);
  results.push_back(OpTy::create(l.builder, l.loc, l.getType(), l.get(0),
                                 static_cast<uint64_t>(op.getAxis() + 1)));
  return success();
}

static LogicalResult crossEntropy(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<CrossEntropyOp>(l.op);
  Value loss =
      CrossEntropyOp::create(l.builder, l.loc, l.merge(l.all(0)), l.merge(l.all(1)),
                             static_cast<int64_t>(op.getIgnoreIndex()));
  results.push_back(l.split(loss));
  return success();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static LogicalResult matmul(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<MatMulOp>(l.op);
  bool isRowwise = !l.isBatched(1) && !op.getTransposeLhs() &&
                   getTensorType(op.getLhs()).getRank() == 2;
  // Rows of all lanes by the one matrix.
  if (isRowwise)
    results.push_back(l.split(MatMulOp::create(l.builder, l.loc, l.merge(l.get(0)),
                                               l.get(1), false,
                                               op.getTransposeRhs())));
  else
    results.push_back(MatMulOp::create(l.builder, l.loc, l.all(0), l.all(1),
                                       op.getTransposeLhs(), op.getTransposeRhs()));
  return success();
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

static LogicalResult reshape(Lanes &l, SmallVectorImpl<Value> &results) {
  results.push_back(ReshapeOp::create(l.builder, l.loc, l.getType(), l.get(0),
                                      l.getSizes(l.operands.drop_front())));
  return success();
}

static LogicalResult broadcast(Lanes &l, SmallVectorImpl<Value> &results) {
  int64_t added = getTensorType(l.op->getResult(0)).getRank() -
                  getTensorType(l.op->getOperand(0)).getRank();
  SmallVector<int64_t> axes;
  for (int64_t i = 1; i <= added; ++i)
    axes.push_back(i);
  results.push_back(BroadcastToOp::create(l.builder, l.loc, l.getType(),
                                          insertUnitDims(l, l.get(0), axes),
                                          l.getSizes(l.operands.drop_front())));
  return success();
}

static LogicalResult transpose(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<TransposeOp>(l.op);
  results.push_back(TransposeOp::create(l.builder, l.loc, l.get(0),
                                        prepended(0, shifted(op.getPermutation()))));
  return success();
}

static LogicalResult slice(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<SliceOp>(l.op);
  results.push_back(SliceOp::create(l.builder, l.loc, l.get(0),
                                    prepended(0, op.getStarts()),
                                    prepended(SliceOp::kEnd, op.getLimits()),
                                    prepended(1, op.getStrides())));
  return success();
}

static LogicalResult reverse(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<ReverseOp>(l.op);
  results.push_back(
      ReverseOp::create(l.builder, l.loc, l.get(0), shifted(op.getAxes())));
  return success();
}

static Value padLanes(Lanes &l, PadOp op, Value input, Value value) {
  return PadOp::create(l.builder, l.loc, input, value, prepended(0, op.getLow()),
                       prepended(0, op.getHigh()), prepended(0, op.getInterior()));
}

/// Lanes with values of their own choose between those and what is padded with any.
static LogicalResult pad(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<PadOp>(l.op);
  if (!l.isBatched(1)) {
    results.push_back(padLanes(l, op, l.get(0), l.get(1)));
    return success();
  }
  Value input = l.all(0);
  auto fill = [&](Type element, double value) {
    return buildSplat(l.builder, l.loc, RankedTensorType::get({}, element), value,
                      nullptr);
  };
  Value padded =
      padLanes(l, op, input, fill(getTensorType(input).getElementType(), 0));
  RankedTensorType maskType = getTensorType(input).clone(l.builder.getI1Type());
  Value isInput = buildSplat(l.builder, l.loc, maskType, 1, [&](int64_t dim) {
    return buildDim(l.builder, l.loc, input, dim);
  });
  Value mask = padLanes(l, op, isInput, fill(l.builder.getI1Type(), 0));
  results.push_back(l.select(mask, padded, broadcastAlong(l, l.get(1), 0, padded)));
  return success();
}

static LogicalResult concat(Lanes &l, SmallVectorImpl<Value> &results) {
  SmallVector<Value> inputs;
  for (unsigned i = 0; i < l.operands.size(); ++i)
    inputs.push_back(l.all(i));
  results.push_back(ConcatOp::create(l.builder, l.loc, inputs,
                                     cast<ConcatOp>(l.op).getAxis() + 1));
  return success();
}

/// Whether a start, one of `count` operands from `first` on, differs between lanes.
static bool startsDiffer(Lanes &l, unsigned first, unsigned count) {
  return llvm::is_contained(l.batched.slice(first, count), true);
}

/// Operands from `first` on, as positions: zero for the lanes, then the op's.
static SmallVector<Value> getStarts(Lanes &l, unsigned first, unsigned count) {
  SmallVector<Value> starts{buildSplat(
      l.builder, l.loc, RankedTensorType::get({}, l.builder.getI64Type()), 0, nullptr)};
  llvm::append_range(starts, l.operands.slice(first, count));
  return starts;
}

static LogicalResult dynamicSlice(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<DynamicSliceOp>(l.op);
  unsigned count = op.getStarts().size();
  ValueRange sizes = l.operands.drop_front(1 + count);
  if (startsDiffer(l, 1, count))
    results.push_back(l.loop(
        [&](int64_t dim) { return sizes[op.getType().getDynamicDimIndex(dim)]; }));
  else
    results.push_back(DynamicSliceOp::create(l.builder, l.loc, l.getType(), l.all(0),
                                             getStarts(l, 1, count),
                                             l.getSizes(sizes)));
  return success();
}

static LogicalResult dynamicUpdateSlice(Lanes &l, SmallVectorImpl<Value> &results) {
  unsigned count = cast<DynamicUpdateSliceOp>(l.op).getStarts().size();
  if (startsDiffer(l, 2, count))
    results.push_back(l.loop([&](int64_t dim) { return l.operandDim(0, dim); }));
  else
    results.push_back(DynamicUpdateSliceOp::create(
        l.builder, l.loc, l.getType(), l.all(0), l.all(1), getStarts(l, 2, count)));
  return success();
}

//===----------------------------------------------------------------------===//
// Indexing and others
//===----------------------------------------------------------------------===//

static LogicalResult oneHot(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<OneHotOp>(l.op);
  results.push_back(OneHotOp::create(l.builder, l.loc, l.get(0), op.getDepth(),
                                     op.getElementType()));
  return success();
}

static LogicalResult gather(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<GatherOp>(l.op);
  int64_t axis = op.getAxis();
  if (l.isBatched(0) && l.isBatched(1)) {
    int64_t taken = getTensorType(op.getIndices()).getRank();
    results.push_back(l.loop([&](int64_t dim) {
      bool isTaken = dim >= axis && dim < axis + taken;
      return isTaken ? l.operandDim(1, dim - axis)
                     : l.operandDim(0, dim < axis ? dim : dim - taken + 1);
    }));
    return success();
  }
  if (l.isBatched(0)) {
    results.push_back(
        GatherOp::create(l.builder, l.loc, l.get(0), l.get(1), axis + 1));
    return success();
  }
  // The lanes come out where the indices' dimensions stand: move them to the front.
  Value taken = GatherOp::create(l.builder, l.loc, l.get(0), l.get(1), axis);
  SmallVector<int64_t> order{axis};
  for (int64_t i = 0; i < getTensorType(taken).getRank(); ++i)
    if (i != axis)
      order.push_back(i);
  results.push_back(TransposeOp::create(l.builder, l.loc, taken, order));
  return success();
}

static LogicalResult scatterAdd(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<ScatterAddOp>(l.op);
  if (l.isBatched(1)) {
    results.push_back(l.loop([&](int64_t dim) { return l.operandDim(0, dim); }));
    return success();
  }
  results.push_back(ScatterAddOp::create(l.builder, l.loc, l.getType(), l.all(0),
                                         l.get(1), l.all(2), op.getAxis() + 1));
  return success();
}

/// Ops for which a dimension more makes no difference.
static LogicalResult keep(Lanes &l, SmallVectorImpl<Value> &results) {
  OperationState state(l.loc, l.op->getName(), l.all(0), {l.getType()},
                       l.op->getAttrs());
  results.push_back(l.builder.create(state)->getResult(0));
  return success();
}

/// A collective of each lane at once: the dimensions that it cuts and joins are one
/// further.
static LogicalResult collective(Lanes &l, SmallVectorImpl<Value> &results) {
  NamedAttrList attributes(l.op->getAttrs());
  for (StringRef name : {"axis", "split_axis", "concat_axis"})
    if (auto axis = dyn_cast_or_null<IntegerAttr>(attributes.get(name)))
      attributes.set(name, l.builder.getI64IntegerAttr(axis.getInt() + 1));
  OperationState state(l.loc, l.op->getName(), l.all(0), {l.getType()}, attributes);
  results.push_back(l.builder.create(state)->getResult(0));
  return success();
}

/// Each lane has a block of the numbers; the state is shared.
static LogicalResult random(Lanes &l, SmallVectorImpl<Value> &results) {
  if (l.isBatched(0))
    return l.refuse("the generator's state");
  SmallVector<Value> operands{l.get(0)};
  llvm::append_range(operands, l.getSizes(l.operands.drop_front()));
  OperationState state(l.loc, l.op->getName(), operands,
                       {l.getType(), l.op->getResult(1).getType()}, l.op->getAttrs());
  llvm::append_range(results, l.builder.create(state)->getResults());
  return success();
}

void mindir::attachBatchingRules(MLIRContext *context) {
  attachBatching<ReduceSumOp, reduce<ReduceSumOp>>(context);
  attachBatching<ReduceProdOp, reduce<ReduceProdOp>>(context);
  attachBatching<ReduceMaxOp, reduce<ReduceMaxOp>>(context);
  attachBatching<ReduceMinOp, reduce<ReduceMinOp>>(context);
  attachBatching<ArgMaxOp, alongAxis<ArgMaxOp>>(context);
  attachBatching<ArgMinOp, alongAxis<ArgMinOp>>(context);
  attachBatching<SoftmaxOp, alongAxis<SoftmaxOp>>(context);
  attachBatching<LogSoftmaxOp, alongAxis<LogSoftmaxOp>>(context);
  attachBatching<CrossEntropyOp, crossEntropy>(context);
  attachBatching<MatMulOp, matmul>(context);
  attachBatching<ReshapeOp, reshape>(context);
  attachBatching<BroadcastToOp, broadcast>(context);
  attachBatching<TransposeOp, transpose>(context);
  attachBatching<SliceOp, slice>(context);
  attachBatching<ReverseOp, reverse>(context);
  attachBatching<PadOp, pad>(context);
  attachBatching<ConcatOp, concat>(context);
  attachBatching<DynamicSliceOp, dynamicSlice>(context);
  attachBatching<DynamicUpdateSliceOp, dynamicUpdateSlice>(context);
  attachBatching<OneHotOp, oneHot>(context);
  attachBatching<GatherOp, gather>(context);
  attachBatching<ScatterAddOp, scatterAdd>(context);
  attachBatching<RandomBitsOp, random>(context);
  attachBatching<RandomUniformOp, random>(context);
  attachBatching<RandomNormalOp, random>(context);
  attachBatching<AllReduceOp, keep>(context);
  attachBatching<AllGatherOp, collective>(context);
  attachBatching<AllSliceOp, collective>(context);
  attachBatching<AllToAllOp, collective>(context);
  attachBatching<ReduceScatterOp, collective>(context);
  attachBatching<StopGradientOp, keep>(context);
  attachImageBatchingRules(context);
}

void mindir::attachTensorBatchingRules(MLIRContext *context) {
  attachBatching<tensor::CastOp, keep>(context);
}
