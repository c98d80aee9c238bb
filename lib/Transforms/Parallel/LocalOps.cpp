//===- LocalOps.cpp - ops on a device's parts -----------------------------===//
//
// Most ops are themselves on parts, followed by an all_reduce when they sum over a
// split loop. Here are also those that need more.
//
//===----------------------------------------------------------------------===//

#include "LocalOps.h"

#include "mindir/Dialect/MindIR/IR/ShapedOp.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::mindir;
using shard::GridAxis;
using shard::Sharding;

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// The axes along which an op's reductions are split.
static SmallVector<GridAxis> getReducedAxes(Operation *op, const PartitionArgs &args) {
  SmallVector<GridAxis> reduced;
  for (auto [iterator, axes] :
       llvm::zip(getShardingLoops(op).iterators, args.option.shardingArray))
    if (iterator == utils::IteratorType::reduction)
      llvm::append_range(reduced, axes);
  return reduced;
}

static shard::GridOp getGrid(Operation *op, const PartitionArgs &args) {
  return args.symbols.lookupNearestSymbolFrom<shard::GridOp>(op, args.option.grid);
}

static Value allReduce(Operation *op, const PartitionArgs &args, Value part,
                       ArrayRef<GridAxis> axes, shard::ReductionKind kind) {
  return shard::AllReduceOp::create(args.builder, op->getLoc(), part,
                                    args.option.grid.getValue(), axes, kind)
      .getResult();
}

/// A device's part along `dim` of a value that all devices have; no communication.
static Value takePart(Operation *op, const PartitionArgs &args, Value value, int64_t dim,
                      ArrayRef<GridAxis> axes) {
  shard::GridOp grid = getGrid(op, args);
  for (GridAxis axis : axes) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] /= grid.getShape()[axis];
    value = shard::AllSliceOp::create(args.builder, op->getLoc(), type.clone(shape),
                                      value, grid.getSymName(),
                                      ArrayRef<GridAxis>(axis), dim);
  }
  return value;
}

//===----------------------------------------------------------------------===//
// Loop nests
//===----------------------------------------------------------------------===//

/// The op on local parts; its results are mapped as they are.
static Operation *cloneLocally(Operation *op, const PartitionArgs &args) {
  Operation *local = args.builder.clone(*op, args.mapping);
  for (auto [result, sharding] : llvm::zip(local->getResults(), args.results))
    result.setType(getLocalType(result.getType(), sharding, op, args.symbols));
  return local;
}

static LogicalResult buildLoopNest(Operation *op, const PartitionArgs &args) {
  Operation *local = cloneLocally(op, args);
  SmallVector<GridAxis> reduced = getReducedAxes(op, args);
  if (reduced.empty())
    return success();
  shard::ReductionKind kind = getShardingLoops(op).reduction;
  for (auto [whole, part] : llvm::zip(op->getResults(), local->getResults()))
    args.mapping.map(whole, allReduce(op, args, part, reduced, kind));
  return success();
}

/// A constant's part is a smaller constant: only splats are split.
static LogicalResult buildConstant(ConstantOp op, const PartitionArgs &args) {
  Type local = getLocalType(op.getType(), args.results.front(), op, args.symbols);
  if (local == op.getType()) {
    args.builder.clone(*op, args.mapping);
    return success();
  }
  auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
  if (!splat)
    return op.emitError("a constant that is no splat must not be split");
  auto part = splat.resizeSplat(cast<RankedTensorType>(local));
  args.mapping.map(op.getResult(),
                   ConstantOp::create(args.builder, op.getLoc(), part).getResult());
  return success();
}

/// Dimensions that are taken whole are so to the end of the part.
static LogicalResult buildSlice(SliceOp op, const PartitionArgs &args) {
  SmallVector<int64_t> limits(op.getLimits());
  for (auto [dim, limit] : llvm::enumerate(limits))
    if (takesWhole(op, dim))
      limit = SliceOp::kEnd;
  cast<SliceOp>(cloneLocally(op, args)).setLimits(limits);
  return success();
}

//===----------------------------------------------------------------------===//
// Sums with more than sums
//===----------------------------------------------------------------------===//

/// A number in every element of a tensor of `like`'s type and sizes.
static Value fill(OpBuilder &builder, Value like, double number) {
  auto type = cast<RankedTensorType>(like.getType());
  Type element = type.getElementType();
  Attribute value = isa<FloatType>(element)
                        ? Attribute(builder.getFloatAttr(element, number))
                        : builder.getIntegerAttr(element, static_cast<int64_t>(number));
  auto scalar = RankedTensorType::get({}, element);
  Value constant =
      ConstantOp::create(builder, like.getLoc(),
                         cast<ElementsAttr>(DenseElementsAttr::get(scalar, value)));
  return BroadcastToOp::create(builder, like.getLoc(), type, constant,
                               getDynamicSizes(builder, like.getLoc(), like));
}

/// Each device adds its updates to zeros; the input is added once, to the sum.
static LogicalResult buildScatterAdd(ScatterAddOp op, const PartitionArgs &args) {
  SmallVector<GridAxis> reduced = getReducedAxes(op, args);
  Value input = args.mapping.lookup(op.getInput());
  Value zeros = reduced.empty() ? Value() : fill(args.builder, input, 0);
  auto local = cast<ScatterAddOp>(cloneLocally(op, args));
  if (reduced.empty())
    return success();
  local.getInputMutable().assign(zeros);
  Value sum =
      allReduce(op, args, local.getResult(), reduced, shard::ReductionKind::Sum);
  args.mapping.map(op.getResult(),
                   AddOp::create(args.builder, op.getLoc(), input, sum).getResult());
  return success();
}

namespace {
/// Batch normalization with statistics over several devices' parts of equal size:
/// mean and variance of the parts' means, and the mean of their variances.
class JointStatistics {
public:
  JointStatistics(BatchNormTrainingOp op, const PartitionArgs &args,
                  ArrayRef<GridAxis> axes)
      : op(op), args(args), b(args.builder), axes(axes) {}

  void build() {
    Value x = widen(op.getInput()), scale = widen(op.getScale()),
          offset = widen(op.getOffset());
    auto part = BatchNormTrainingOp::create(b, op.getLoc(), x, scale, offset,
                                            op.getEpsilonAttr(), op.getAxisAttr());
    Value mean = average(part.getMean());
    Value shift = SubOp::create(b, op.getLoc(), part.getMean(), mean);
    Value square = MulOp::create(b, op.getLoc(), shift, shift);
    Value variance =
        average(AddOp::create(b, op.getLoc(), part.getVariance(), square));
    Value result =
        BatchNormInferenceOp::create(b, op.getLoc(), x, scale, offset, mean, variance,
                                     op.getEpsilonAttr(), op.getAxisAttr());
    args.mapping.map(op.getResult(), narrow(result));
    args.mapping.map(op.getMean(), narrow(mean));
    args.mapping.map(op.getVariance(), narrow(variance));
  }

private:
  Value average(Value value) {
    double count = *getGroupSize(getGrid(op, args), axes);
    Value sum = allReduce(op, args, value, axes, shard::ReductionKind::Sum);
    return DivOp::create(b, op.getLoc(), sum, fill(b, sum, count));
  }
  Value castTo(Value value, Type element) {
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getElementType() == element)
      return value;
    return CastOp::create(b, op.getLoc(), type.clone(element), value);
  }
  /// The local part; half floats as f32.
  Value widen(Value operand) {
    Type element = cast<RankedTensorType>(operand.getType()).getElementType();
    bool isHalf = element.isF16() || element.isBF16();
    return castTo(args.mapping.lookup(operand), isHalf ? b.getF32Type() : element);
  }
  Value narrow(Value value) {
    return castTo(value,
                  cast<RankedTensorType>(op.getInput().getType()).getElementType());
  }

  BatchNormTrainingOp op;
  const PartitionArgs &args;
  OpBuilder &b;
  ArrayRef<GridAxis> axes;
};
} // namespace

static LogicalResult buildBatchNorm(BatchNormTrainingOp op, const PartitionArgs &args) {
  SmallVector<GridAxis> reduced = getReducedAxes(op, args);
  if (reduced.empty())
    cloneLocally(op, args);
  else
    JointStatistics(op, args, reduced).build();
  return success();
}

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

/// The one dimension whose parts are blocks of whole counters in row-major order, so
/// that a device can count from its block's first; none if there is no such.
static std::optional<int64_t> getBlockedDim(RankedTensorType whole,
                                            RankedTensorType part) {
  if (!part.hasStaticShape() || part.getNumElements() % 4 != 0)
    return std::nullopt;
  const auto *split = llvm::find_if(whole.getShape(), [](int64_t n) { return n != 1; });
  int64_t dim = split - whole.getShape().begin();
  if (dim == whole.getRank() ||
      whole.getShape().drop_front(dim + 1) != part.getShape().drop_front(dim + 1))
    return std::nullopt;
  return dim;
}

/// The state at a device's block of `counters`.
static Value advanceToBlock(Operation *op, const PartitionArgs &args, int64_t counters,
                            ArrayRef<GridAxis> axes) {
  OpBuilder &b = args.builder;
  int64_t count = *getGroupSize(getGrid(op, args), axes);
  SmallVector<APInt> offsets;
  for (int64_t i = 0; i < count; ++i)
    offsets.append({APInt(64, 0), APInt(64, i * counters)});
  auto state = cast<RankedTensorType>(op->getOperand(0).getType());
  auto table = RankedTensorType::get({count, 2}, state.getElementType());
  Value all = ConstantOp::create(
      b, op->getLoc(), cast<ElementsAttr>(DenseElementsAttr::get(table, offsets)));
  Value own = ReshapeOp::create(b, op->getLoc(), state, takePart(op, args, all, 0, axes),
                                ValueRange{});
  return AddOp::create(b, op->getLoc(), args.mapping.lookup(op->getOperand(0)), own);
}

/// Every device draws its own block where it can, else all numbers, and keeps its
/// part; the new state is that of the whole op.
static LogicalResult buildRandom(Operation *op, const PartitionArgs &args) {
  OpBuilder &b = args.builder;
  auto whole = cast<RankedTensorType>(op->getResult(0).getType());
  auto part = cast<RankedTensorType>(
      getLocalType(whole, args.results.front(), op, args.symbols));
  Operation *local = b.clone(*op, args.mapping);
  if (whole == part)
    return success();
  SplitAxes axes = getSplitAxes(args.results.front(), whole.getRank());
  Value state = args.mapping.lookup(op->getOperand(0));
  std::optional<int64_t> dim = getBlockedDim(whole, part);
  if (!dim) {
    Value numbers = local->getResult(0);
    for (auto [i, list] : llvm::enumerate(axes))
      numbers = takePart(op, args, numbers, i, list);
    args.mapping.map(op->getResult(0), numbers);
    return success();
  }
  int64_t counters = part.getNumElements() / 4;
  local->getResult(0).setType(part);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(local);
  local->setOperand(0, advanceToBlock(op, args, counters, axes[*dim]));
  SmallVector<APInt> used{APInt(64, 0), APInt(64, whole.getNumElements() / 4)};
  auto stateType = cast<RankedTensorType>(state.getType());
  Value steps = ConstantOp::create(
      b, op->getLoc(), cast<ElementsAttr>(DenseElementsAttr::get(stateType, used)));
  args.mapping.map(op->getResult(1),
                   AddOp::create(b, op->getLoc(), state, steps).getResult());
  return success();
}

LogicalResult mindir::buildLocalOp(Operation *op, PartitionArgs args) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ConstantOp op) { return buildConstant(op, args); })
      .Case([&](SliceOp op) { return buildSlice(op, args); })
      .Case([&](ScatterAddOp op) { return buildScatterAdd(op, args); })
      .Case([&](BatchNormTrainingOp op) { return buildBatchNorm(op, args); })
      .Case<RandomBitsOp, RandomUniformOp, RandomNormalOp>(
          [&](auto op) { return buildRandom(op, args); })
      .Default([&](Operation *op) { return buildLoopNest(op, args); });
}
