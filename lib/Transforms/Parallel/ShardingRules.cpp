//===- ShardingRules.cpp - how mindir ops are sharded ---------------------===//
//
// One model of upstream's ShardingInterface, derived from an op's loops, for all
// mindir ops that are loop nests.
//
//===----------------------------------------------------------------------===//

#include "mindir/Transforms/Parallel/ShardingRules.h"

#include "ControlFlowSharding.h"
#include "LocalOps.h"

#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::mindir;
using shard::GridAxis;
using shard::Sharding;
using shard::ShardingOption;

//===----------------------------------------------------------------------===//
// Shardings from loops
//===----------------------------------------------------------------------===//

/// Splits `loop` along `axes`; fails if it cannot be, is split otherwise, or another
/// loop is split along one of them.
static LogicalResult splitLoop(const ShardingLoops &loops, ShardingOption &option,
                               unsigned loop, ArrayRef<GridAxis> axes) {
  if (!loops.canSplit(loop))
    return failure();
  for (auto [other, taken] : llvm::enumerate(option.shardingArray)) {
    if (other == loop && !taken.empty() && ArrayRef<GridAxis>(taken) != axes)
      return failure();
    if (other != loop && llvm::any_of(axes, [&](GridAxis axis) {
          return llvm::is_contained(taken, axis);
        }))
      return failure();
  }
  option.shardingArray[loop] = llvm::to_vector(axes);
  return success();
}

/// Unlike upstream's default, knows dimensions that no loop splits, and takes a null
/// sharding for what it is: nothing known.
static FailureOr<ShardingOption> getOption(Operation *op,
                                           ArrayRef<Sharding> operands,
                                           ArrayRef<Sharding> results) {
  ShardingLoops loops = getShardingLoops(op);
  ShardingOption option = ShardingOption::makeEmpty();
  option.shardingArray.resize(loops.iterators.size());
  std::vector<Sharding> shardings(operands.begin(), operands.end());
  llvm::append_range(shardings, results);
  for (auto [sharding, map] : llvm::zip(shardings, loops.maps)) {
    if (!sharding)
      continue;
    if (option.grid && option.grid != sharding.getGridAttr())
      return failure();
    option.grid = sharding.getGridAttr();
    option.empty = false;
    SplitAxes axes = getSplitAxes(sharding, map.getNumResults());
    for (auto [expr, list] : llvm::zip(map.getResults(), axes)) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!list.empty() &&
          (!dim || failed(splitLoop(loops, option, dim.getPosition(), list))))
        return failure();
    }
  }
  return option;
}

static std::vector<Sharding> getAnnotations(Operation *op,
                                            const ShardingOption &option) {
  ShardingLoops loops = getShardingLoops(op);
  std::vector<Sharding> annotations;
  auto annotate = [&](Type type) {
    AffineMap map = loops.maps[annotations.size()];
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor) {
      annotations.emplace_back();
      return;
    }
    SplitAxes axes(tensor.getRank());
    for (auto [list, expr] : llvm::zip(axes, map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        list = option.shardingArray[dim.getPosition()];
    annotations.push_back(makeSharding(option.grid, axes, op->getContext()));
  };
  llvm::for_each(op->getOperandTypes(), annotate);
  llvm::for_each(op->getResultTypes(), annotate);
  return annotations;
}

static void addAnnotations(Operation *op, OpBuilder &builder,
                           const ShardingOption &option) {
  std::vector<Sharding> annotations = getAnnotations(op, option);
  unsigned numOperands = op->getNumOperands();
  for (OpResult result : op->getResults())
    if (isShardable(result.getType()))
      shard::maybeInsertTargetShardingAnnotation(
          annotations[numOperands + result.getResultNumber()], result, builder);
  for (OpOperand &operand : op->getOpOperands())
    if (isShardable(operand.get().getType()))
      shard::maybeInsertSourceShardingAnnotation(
          annotations[operand.getOperandNumber()], operand, builder);
}

//===----------------------------------------------------------------------===//
// Partition
//===----------------------------------------------------------------------===//

/// The op on local parts, its partial results joined.
static LogicalResult partitionOp(Operation *op, ArrayRef<Sharding> operands,
                                 ArrayRef<Sharding> results, IRMapping &mapping,
                                 SymbolTableCollection &symbols, OpBuilder &builder) {
  FailureOr<ShardingOption> option = getOption(op, operands, results);
  if (failed(option))
    return op->emitError("operands and results are sharded in ways that no split of "
                         "the op's loops gives");
  return buildLocalOp(op, {operands, results, *option, mapping, symbols, builder});
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

namespace {
template <typename OpTy>
struct LoopSharding
    : shard::ShardingInterface::ExternalModel<LoopSharding<OpTy>, OpTy> {
  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    return getShardingLoops(op).iterators;
  }
  SmallVector<shard::ReductionKind> getReductionLoopIteratorKinds(Operation *op) const {
    ShardingLoops loops = getShardingLoops(op);
    return SmallVector<shard::ReductionKind>(
        llvm::count(loops.iterators, utils::IteratorType::reduction),
        loops.reduction);
  }
  SmallVector<AffineMap> getIndexingMaps(Operation *op) const {
    return getShardingLoops(op).maps;
  }
  FailureOr<ShardingOption> getShardingOption(Operation *op,
                                              ArrayRef<Sharding> operands,
                                              ArrayRef<Sharding> results) const {
    return getOption(op, operands, results);
  }
  FailureOr<std::vector<Sharding>>
  getShardingAnnotations(Operation *op, const ShardingOption &option) const {
    return getAnnotations(op, option);
  }
  LogicalResult addShardingAnnotations(Operation *op, OpBuilder &builder,
                                       const ShardingOption &option) const {
    addAnnotations(op, builder, option);
    return success();
  }
  LogicalResult partition(Operation *op, ArrayRef<Value>, ArrayRef<Sharding> operands,
                          ArrayRef<Sharding> results, IRMapping &mapping,
                          SymbolTableCollection &symbols, OpBuilder &builder) const {
    return partitionOp(op, operands, results, mapping, symbols, builder);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

template <typename... OpTys> static void attachLoops(MLIRContext *context) {
  (OpTys::template attachInterface<LoopSharding<OpTys>>(*context), ...);
}

void mindir::registerShardingRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, MindIRDialect *) {
    attachLoops<AbsOp, NegOp, SignOp, CeilOp, FloorOp, RoundOp, ExpOp, Expm1Op, LogOp,
           Log1pOp, SqrtOp, RsqrtOp, SinOp, CosOp, TanhOp, ErfOp, SigmoidOp, ReluOp,
           NotOp, AddOp, SubOp, MulOp, DivOp, FloorDivOp, FloorModOp, PowOp,
           MaximumOp, MinimumOp, AndOp, OrOp, XorOp, CompareOp, SelectOp, CastOp,
           ConstantOp>(context);
    attachLoops<ReduceSumOp, ReduceProdOp, ReduceMaxOp, ReduceMinOp, MatMulOp, Conv2DOp,
           Conv2DInputGradOp, Conv2DWeightGradOp, SoftmaxOp, LogSoftmaxOp,
           BroadcastToOp, TransposeOp, ReshapeOp>(context);
    attachLoops<SliceOp, ReverseOp, PadOp, ConcatOp, DynamicSliceOp,
                DynamicUpdateSliceOp, IotaOp, OneHotOp, GatherOp, ScatterAddOp, ArgMaxOp,
                ArgMinOp, MaxPool2DOp, AvgPool2DOp, AvgPool2DGradOp, PoolGatherOp,
                PoolScatterOp, BatchNormTrainingOp, BatchNormInferenceOp, CrossEntropyOp,
                RandomBitsOp, RandomUniformOp, RandomNormalOp, StopGradientOp>(context);
  });
  registerControlFlowSharding(registry);
}
