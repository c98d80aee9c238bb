//===- BatchingRules.cpp - vmap rules of ops that are not elementwise -----===//
//
// Elementwise ops need no rule. Most others are the op itself with its axes moved by
// one; ops over images take the lanes into the batch.
//
//===----------------------------------------------------------------------===//

#include "../VMap.h"
#include "RuleSupport.h"

#include "mindir/Interfaces/BatchableOpInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::mindir;

namespace {
/// One op under vmap.
class Lanes : public Arith {
public:
  Lanes(Operation *op, OpBuilder &builder, ValueRange operands,
        ArrayRef<bool> batched, OpFoldResult count)
      : Arith(builder, op->getLoc()), op(op), operands(operands), batched(batched),
        size(getConstantIntValue(count).value_or(ShapedType::kDynamic)) {
    laneCount = dyn_cast<Value>(count);
    if (!laneCount)
      laneCount = arith::ConstantIndexOp::create(builder, loc, size);
  }

  bool isBatched(unsigned i) const { return batched[i]; }
  Value get(unsigned i) const { return operands[i]; }
  /// Operand `i` over lanes; one that all lanes share is repeated.
  Value all(unsigned i) {
    Value value = operands[i];
    if (batched[i])
      return value;
    return broadcastTo(*this, insertUnitDims(*this, value, {0}),
                       getBatchedType(value.getType(), size), [&](int64_t dim) {
                         return dim == 0 ? laneCount
                                         : buildDim(builder, loc, value, dim - 1);
                       });
  }
  Type getType(unsigned i = 0) const {
    return getBatchedType(op->getResult(i).getType(), size);
  }
  /// The sizes that result 0 over lanes does not know, `own` being the primal's.
  SmallVector<Value> getSizes(ValueRange own) const {
    SmallVector<Value> sizes;
    if (ShapedType::isDynamic(size))
      sizes.push_back(laneCount);
    llvm::append_range(sizes, own);
    return sizes;
  }
  /// [lanes, n, ...] as [lanes * n, ...].
  Value merge(Value value);
  /// [lanes * n, ...] as [lanes, n, ...].
  Value split(Value value);
  LogicalResult refuse(StringRef what) const {
    return op->emitError("TypeError: For '")
           << op->getName() << "' under vmap, expected " << what
           << " to be equal in all lanes, but it differs between them";
  }

  Operation *op;
  ValueRange operands;
  ArrayRef<bool> batched;
  int64_t size;
  Value laneCount;
};
} // namespace

Value Lanes::merge(Value value) {
  RankedTensorType type = getTensorType(value);
  bool isDynamic = type.isDynamicDim(0) || type.isDynamicDim(1);
  SmallVector<int64_t> shape(type.getShape().drop_front());
  shape[0] = isDynamic ? ShapedType::kDynamic : type.getDimSize(0) * shape[0];
  auto merged = RankedTensorType::get(shape, type.getElementType());
  auto dim = [&](int64_t i) -> Value {
    Value own = buildDim(builder, loc, value, i + 1);
    return i == 0 ? arith::MulIOp::create(builder, loc, own,
                                          buildDim(builder, loc, value, 0))
                        .getResult()
                  : own;
  };
  return ReshapeOp::create(builder, loc, merged, value, getDynamicSizes(merged, dim));
}

Value Lanes::split(Value value) {
  RankedTensorType type = getTensorType(value);
  int64_t total = type.getDimSize(0);
  bool isKnown = !ShapedType::isDynamic(total) && !ShapedType::isDynamic(size) && size;
  SmallVector<int64_t> shape(type.getShape());
  shape[0] = isKnown ? total / size : ShapedType::kDynamic;
  shape.insert(shape.begin(), size);
  auto parted = RankedTensorType::get(shape, type.getElementType());
  auto dim = [&](int64_t i) -> Value {
    if (i == 0)
      return laneCount;
    Value own = buildDim(builder, loc, value, i - 1);
    if (i > 1)
      return own;
    // Without lanes nothing is divided by zero.
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value divisor = arith::MaxSIOp::create(builder, loc, laneCount, one);
    return arith::DivSIOp::create(builder, loc, own, divisor);
  };
  return ReshapeOp::create(builder, loc, parted, value, getDynamicSizes(parted, dim));
}

/// Builds the op's results over lanes.
using BatchRule = LogicalResult (*)(Lanes &l, SmallVectorImpl<Value> &results);

namespace {
template <typename OpTy, BatchRule rule>
struct BatchRules
    : BatchableOpInterface::ExternalModel<BatchRules<OpTy, rule>, OpTy> {
  LogicalResult buildBatched(Operation *op, OpBuilder &builder, ValueRange operands,
                             ArrayRef<bool> batched, OpFoldResult size,
                             SmallVectorImpl<Value> &results) const {
    Lanes lanes(op, builder, operands, batched, size);
    return rule(lanes, results);
  }
};
} // namespace

template <typename OpTy, BatchRule rule> static void attach(MLIRContext *context) {
  OpTy::template attachInterface<BatchRules<OpTy, rule>>(*context);
}

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

static LogicalResult batchNormInference(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<BatchNormInferenceOp>(l.op);
  for (unsigned i = 1; i < 5; ++i)
    if (l.isBatched(i))
      return l.refuse("scale, offset, mean and variance");
  results.push_back(BatchNormInferenceOp::create(
      l.builder, l.loc, l.getType(), l.get(0), l.get(1), l.get(2), l.get(3), l.get(4),
      op.getEpsilonAttr(), l.builder.getI64IntegerAttr(op.getAxis() + 1)));
  return success();
}

//===----------------------------------------------------------------------===//
// Products, convolution, pooling
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

static LogicalResult convolve(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<Conv2DOp>(l.op);
  if (l.isBatched(1))
    return l.refuse("the weight");
  results.push_back(l.split(Conv2DOp::create(
      l.builder, l.loc, l.merge(l.get(0)), l.get(1), op.getStrides(),
      op.getPadding(), op.getDilations(), op.getGroups(), op.getLayout())));
  return success();
}

static LogicalResult maxPool(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<MaxPool2DOp>(l.op);
  auto pool = MaxPool2DOp::create(l.builder, l.loc, l.merge(l.get(0)), op.getWindow(),
                                  op.getStrides(), op.getPadding(), op.getLayout());
  results.push_back(l.split(pool.getResult()));
  results.push_back(l.split(pool.getIndices()));
  return success();
}

static LogicalResult avgPool(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<AvgPool2DOp>(l.op);
  results.push_back(l.split(AvgPool2DOp::create(
      l.builder, l.loc, l.merge(l.get(0)), op.getWindow(), op.getStrides(),
      op.getPadding(), op.getLayout(), op.getCountIncludePad())));
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

static LogicalResult pad(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<PadOp>(l.op);
  if (l.isBatched(1))
    return l.refuse("the padding value");
  results.push_back(PadOp::create(l.builder, l.loc, l.get(0), l.get(1),
                                  prepended(0, op.getLow()),
                                  prepended(0, op.getHigh()),
                                  prepended(0, op.getInterior())));
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

/// Operands from `first` on, as positions: zero for the lanes, then the op's.
static FailureOr<SmallVector<Value>> getStarts(Lanes &l, unsigned first,
                                               unsigned count) {
  SmallVector<Value> starts{buildSplat(
      l.builder, l.loc, RankedTensorType::get({}, l.builder.getI64Type()), 0, nullptr)};
  for (unsigned i = first; i < first + count; ++i) {
    if (l.isBatched(i))
      return l.refuse("the start");
    starts.push_back(l.get(i));
  }
  return starts;
}

static LogicalResult dynamicSlice(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<DynamicSliceOp>(l.op);
  unsigned count = op.getStarts().size();
  auto starts = getStarts(l, 1, count);
  if (failed(starts))
    return failure();
  results.push_back(DynamicSliceOp::create(
      l.builder, l.loc, l.getType(), l.all(0), *starts,
      l.getSizes(l.operands.drop_front(1 + count))));
  return success();
}

static LogicalResult dynamicUpdateSlice(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<DynamicUpdateSliceOp>(l.op);
  auto starts = getStarts(l, 2, op.getStarts().size());
  if (failed(starts))
    return failure();
  results.push_back(DynamicUpdateSliceOp::create(l.builder, l.loc, l.getType(),
                                                 l.all(0), l.all(1), *starts));
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
  if (l.isBatched(0) && l.isBatched(1))
    return l.refuse("the input or the indices");
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
  if (l.isBatched(1))
    return l.refuse("the indices");
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

void mindir::attachBatchingRules(MLIRContext *context) {
  attach<ReduceSumOp, reduce<ReduceSumOp>>(context);
  attach<ReduceProdOp, reduce<ReduceProdOp>>(context);
  attach<ReduceMaxOp, reduce<ReduceMaxOp>>(context);
  attach<ReduceMinOp, reduce<ReduceMinOp>>(context);
  attach<ArgMaxOp, alongAxis<ArgMaxOp>>(context);
  attach<ArgMinOp, alongAxis<ArgMinOp>>(context);
  attach<SoftmaxOp, alongAxis<SoftmaxOp>>(context);
  attach<LogSoftmaxOp, alongAxis<LogSoftmaxOp>>(context);
  attach<CrossEntropyOp, crossEntropy>(context);
  attach<BatchNormInferenceOp, batchNormInference>(context);
  attach<MatMulOp, matmul>(context);
  attach<Conv2DOp, convolve>(context);
  attach<MaxPool2DOp, maxPool>(context);
  attach<AvgPool2DOp, avgPool>(context);
  attach<ReshapeOp, reshape>(context);
  attach<BroadcastToOp, broadcast>(context);
  attach<TransposeOp, transpose>(context);
  attach<SliceOp, slice>(context);
  attach<ReverseOp, reverse>(context);
  attach<PadOp, pad>(context);
  attach<ConcatOp, concat>(context);
  attach<DynamicSliceOp, dynamicSlice>(context);
  attach<DynamicUpdateSliceOp, dynamicUpdateSlice>(context);
  attach<OneHotOp, oneHot>(context);
  attach<GatherOp, gather>(context);
  attach<ScatterAddOp, scatterAdd>(context);
  attach<AllReduceOp, keep>(context);
  attach<AllGatherOp, collective>(context);
  attach<AllSliceOp, collective>(context);
  attach<AllToAllOp, collective>(context);
  attach<ReduceScatterOp, collective>(context);
  attach<StopGradientOp, keep>(context);
}

void mindir::attachTensorBatchingRules(MLIRContext *context) {
  attach<tensor::CastOp, keep>(context);
}
