//===- PartitionModule.cpp - the program of one device --------------------===//
//
// Walks blocks and lets each op's ShardingInterface partition it; moves data where
// the annotations of a definition and a use differ.
//
//===----------------------------------------------------------------------===//

#include "ShardingUtils.h"

#include "mindir/Transforms/Parallel/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/Interfaces/ShardingInterface.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_PARTITIONMODULE
#include "mindir/Transforms/Parallel/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;
using shard::GridAxis;
using shard::Sharding;

//===----------------------------------------------------------------------===//
// Resharding
//===----------------------------------------------------------------------===//

namespace {
/// Moves one value from sharding to sharding, a grid axis at a time: an axis that
/// changes the dimension by all_to_all, others off by all_gather, on by all_slice.
class Resharder {
public:
  Resharder(OpBuilder &builder, Location loc, shard::GridOp grid, Value value,
            SplitAxes axes)
      : builder(builder), loc(loc), grid(grid), value(value), axes(std::move(axes)) {}

  Value moveTo(const SplitAxes &target) {
    for (size_t dim = 0; dim < axes.size(); ++dim)
      while (!isPrefix(axes[dim], target[dim]))
        if (std::optional<size_t> to = findNewPlace(dim, target))
          exchange(dim, *to);
        else
          gather(dim);
    for (size_t dim = 0; dim < axes.size(); ++dim)
      while (axes[dim].size() < target[dim].size())
        slice(dim, target[dim][axes[dim].size()]);
    return value;
  }

private:
  static bool isPrefix(ArrayRef<GridAxis> list, ArrayRef<GridAxis> of) {
    return list.size() <= of.size() && list == of.take_front(list.size());
  }

  /// The dimension that the innermost axis of `dim` has to split next, if any.
  std::optional<size_t> findNewPlace(size_t dim, const SplitAxes &target) {
    for (size_t to = 0; to < axes.size(); ++to)
      if (to != dim && isPrefix(axes[to], target[to]) &&
          axes[to].size() < target[to].size() &&
          target[to][axes[to].size()] == axes[dim].back())
        return to;
    return std::nullopt;
  }

  int64_t getExtent(GridAxis axis) { return grid.getShape()[axis]; }
  RankedTensorType getType() { return cast<RankedTensorType>(value.getType()); }
  APInt getIndex(size_t dim) { return APInt(64, dim); }

  void gather(size_t dim) {
    GridAxis axis = axes[dim].pop_back_val();
    SmallVector<int64_t> shape(getType().getShape());
    shape[dim] *= getExtent(axis);
    value = shard::AllGatherOp::create(builder, loc, getType().clone(shape),
                                       grid.getSymName(), ArrayRef<GridAxis>(axis),
                                       value, getIndex(dim));
  }

  void slice(size_t dim, GridAxis axis) {
    axes[dim].push_back(axis);
    SmallVector<int64_t> shape(getType().getShape());
    shape[dim] /= getExtent(axis);
    value = shard::AllSliceOp::create(builder, loc, getType().clone(shape), value,
                                      grid.getSymName(), ArrayRef<GridAxis>(axis), dim);
  }

  void exchange(size_t from, size_t to) {
    GridAxis axis = axes[from].pop_back_val();
    axes[to].push_back(axis);
    SmallVector<int64_t> shape(getType().getShape());
    shape[from] *= getExtent(axis);
    shape[to] /= getExtent(axis);
    value = shard::AllToAllOp::create(builder, loc, getType().clone(shape),
                                      grid.getSymName(), ArrayRef<GridAxis>(axis),
                                      value, getIndex(to), getIndex(from));
  }

  OpBuilder &builder;
  Location loc;
  shard::GridOp grid;
  Value value;
  SplitAxes axes;
};
} // namespace

/// A `shard.shard` of an annotated value moves it; of a definition it says what is.
static void partitionAnnotation(shard::ShardOp op, IRMapping &mapping,
                                SymbolTableCollection &symbols, OpBuilder &builder) {
  Value local = mapping.lookup(op.getSrc());
  if (Sharding source = getUseSharding(op.getSrc())) {
    int64_t rank = cast<RankedTensorType>(op.getType()).getRank();
    auto grid =
        symbols.lookupNearestSymbolFrom<shard::GridOp>(op, source.getGridAttr());
    Resharder resharder(builder, op.getLoc(), grid, local, getSplitAxes(source, rank));
    local = resharder.moveTo(getSplitAxes(Sharding(op.getSharding()), rank));
  }
  mapping.map(op.getResult(), local);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static bool isReplicated(const Sharding &sharding) {
  return !sharding || shard::isFullReplication(sharding);
}

/// Checks that each tensor is annotated as the partition relies on.
static LogicalResult verifyAnnotated(Operation *op) {
  for (Value operand : op->getOperands())
    if (isShardable(operand.getType()) && !getUseSharding(operand))
      return op->emitError("a tensor operand is not annotated by shard.shard; run "
                           "mindir-propagate-shardings first");
  for (Value result : op->getResults())
    if (isShardable(result.getType()) && !getDefinitionSharding(result))
      return op->emitError("a tensor result is not annotated by shard.shard; run "
                           "mindir-propagate-shardings first");
  return success();
}

static LogicalResult partitionOp(Operation *op, IRMapping &mapping,
                                 SymbolTableCollection &symbols, OpBuilder &builder) {
  if (isa<shard::ShardingOp>(op))
    return success();
  if (auto annotation = dyn_cast<shard::ShardOp>(op)) {
    partitionAnnotation(annotation, mapping, symbols, builder);
    return success();
  }
  if (failed(verifyAnnotated(op)))
    return failure();
  std::vector<Sharding> operands, results;
  for (Value operand : op->getOperands())
    operands.push_back(getUseSharding(operand));
  for (Value result : op->getResults())
    results.push_back(getDefinitionSharding(result));
  auto shardable = dyn_cast<shard::ShardingInterface>(op);
  if (shardable && !isa<func::ReturnOp>(op)) {
    auto locals = llvm::map_to_vector(
        op->getOperands(), [&](Value value) { return mapping.lookup(value); });
    return shardable.partition(locals, operands, results, mapping, symbols, builder);
  }
  bool isWhole = llvm::all_of(operands, isReplicated) &&
                 llvm::all_of(results, isReplicated) && op->getNumRegions() == 0;
  if (!isWhole && !isa<func::ReturnOp>(op))
    return op->emitError("has no sharding rule, so its operands and results cannot be "
                         "split");
  builder.clone(*op, mapping);
  return success();
}

SmallVector<Type> mindir::getLocalArgumentTypes(Block &block,
                                                SymbolTableCollection &symbols) {
  return llvm::map_to_vector(block.getArguments(), [&](BlockArgument argument) {
    return getLocalType(argument.getType(), getDefinitionSharding(argument),
                        block.getParentOp(), symbols);
  });
}

LogicalResult mindir::partitionBlock(Block &source, Block &target, IRMapping &mapping,
                                     SymbolTableCollection &symbols,
                                     OpBuilder &builder) {
  for (auto [whole, local] : llvm::zip(source.getArguments(), target.getArguments())) {
    if (isShardable(whole.getType()) && !getDefinitionSharding(whole))
      return emitError(whole.getLoc(), "a tensor argument is not annotated by "
                                       "shard.shard; run mindir-propagate-shardings "
                                       "first");
    mapping.map(whole, local);
  }
  builder.setInsertionPointToEnd(&target);
  for (Operation &op : source)
    if (failed(partitionOp(&op, mapping, symbols, builder)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Keeps the shardings of arguments and results as attributes.
static void recordShardings(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments())
    if (Sharding sharding = getDefinitionSharding(argument))
      function.setArgAttr(argument.getArgNumber(), kShardingAttrName,
                          toAttribute(sharding));
  Operation *terminator = function.front().getTerminator();
  for (OpOperand &operand : terminator->getOpOperands())
    if (Sharding sharding = getUseSharding(operand.get()))
      function.setResultAttr(operand.getOperandNumber(), kShardingAttrName,
                             toAttribute(sharding));
}

static LogicalResult partitionFunction(func::FuncOp function,
                                       SymbolTableCollection &symbols) {
  if (!function.getBody().hasOneBlock())
    return function.emitError("expected structured control flow (scf), but found a "
                              "function of several blocks");
  recordShardings(function);
  Block &source = function.front();
  OpBuilder builder(function.getContext());
  auto locations = llvm::map_to_vector(
      source.getArguments(), [](BlockArgument argument) { return argument.getLoc(); });
  Block *target = builder.createBlock(&function.getBody(), function.getBody().end(),
                                      getLocalArgumentTypes(source, symbols), locations);
  IRMapping mapping;
  if (failed(partitionBlock(source, *target, mapping, symbols, builder)))
    return failure();
  source.dropAllReferences();
  source.erase();
  function.setFunctionType(
      builder.getFunctionType(target->getArgumentTypes(),
                              target->getTerminator()->getOperandTypes()));
  return success();
}

namespace {
struct PartitionModule : mindir::impl::PartitionModuleBase<PartitionModule> {
  void runOnOperation() override {
    bool isAnnotated = false;
    getOperation().walk([&](shard::ShardOp) { isAnnotated = true; });
    if (!isAnnotated)
      return;
    SymbolTableCollection symbols;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && failed(partitionFunction(function, symbols)))
        return signalPassFailure();
  }
};
} // namespace
