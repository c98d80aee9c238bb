//===- ShardingAnalysis.cpp - the shardings that follow from those given --===//
//
// Values joined by control flow share what is known; through other ops it goes by
// their ShardingInterface.
//
//===----------------------------------------------------------------------===//

#include "ShardingAnalysis.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace mlir::mindir;
using shard::Sharding;
using shard::ShardingOption;

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

ShardingAnalysis::State &ShardingAnalysis::getState(Value value) {
  State &state = states[classes.getOrInsertLeaderValue(value)];
  if (state.axes.empty())
    state.axes.resize(cast<RankedTensorType>(value.getType()).getRank());
  return state;
}

Sharding ShardingAnalysis::getSharding(Value value) {
  return makeSharding(grid, getState(value).axes, module.getContext());
}

/// Adds the axes of dimensions that nothing splits yet, where they are free and
/// divide the size.
bool ShardingAnalysis::grow(Value value, const Sharding &sharding) {
  if (!sharding || !isShardable(value.getType()))
    return false;
  State &state = getState(value);
  if (state.isFixed)
    return false;
  bool hasGrown = false;
  SplitAxes offered = getSplitAxes(sharding, state.axes.size());
  for (auto [dim, axes] : llvm::enumerate(offered)) {
    bool isTaken = llvm::any_of(axes, [&](shard::GridAxis axis) {
      return llvm::any_of(state.axes,
                          [&](auto &list) { return llvm::is_contained(list, axis); });
    });
    if (axes.empty() || !state.axes[dim].empty() || isTaken)
      continue;
    SplitAxes grown = state.axes;
    grown[dim] = axes;
    if (!divides(gridOp, makeSharding(grid, grown, module.getContext()),
                 value.getType()))
      continue;
    state.axes = std::move(grown);
    hasGrown = true;
  }
  return hasGrown;
}

//===----------------------------------------------------------------------===//
// Seeds
//===----------------------------------------------------------------------===//

LogicalResult ShardingAnalysis::fix(shard::ShardOp op, Value value,
                                    const Sharding &sharding) {
  State &state = getState(value);
  SplitAxes axes = getSplitAxes(sharding, state.axes.size());
  if (state.isFixed && state.axes != axes)
    return op.emitError("ValueError: the tensor has two different shardings; give one, "
                        "or annotate_for_users at the uses that differ");
  state.axes = std::move(axes);
  state.isFixed = true;
  return success();
}

LogicalResult ShardingAnalysis::collectSeeds() {
  auto fixSeed = [&](shard::ShardOp op) -> LogicalResult {
    Sharding sharding(op.getSharding());
    if (grid && grid != sharding.getGridAttr())
      return op.emitError("ValueError: expected one grid in the module, but found '")
             << grid.getValue() << "' and '" << sharding.getGrid() << "'";
    grid = sharding.getGridAttr();
    gridOp = symbols.lookupNearestSymbolFrom<shard::GridOp>(op, grid);
    if (!gridOp)
      return op.emitError("ValueError: there is no grid '") << grid.getValue() << "'";
    if (!isShardable(op.getType()))
      return success();
    if (!op.getAnnotateForUsers() && failed(fix(op, op.getSrc(), sharding)))
      return failure();
    return fix(op, op.getResult(), sharding);
  };
  WalkResult result = module.walk([&](shard::ShardOp op) {
    return failed(fixSeed(op)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

/// The targets of one operand have one sharding.
void ShardingAnalysis::addEdge(OpOperand &operand, ValueRange targets) {
  if (targets.empty() || !isShardable(operand.get().getType()))
    return;
  for (Value target : targets)
    classes.unionSets(targets.front(), target);
  // One operand may be known from several points; its targets are one class.
  auto [known, isNew] = edgeTargets.try_emplace(&operand, targets.front());
  if (!isNew)
    classes.unionSets(known->second, targets.front());
}

void ShardingAnalysis::addCallEdges(Operation *op) {
  auto call = cast<func::CallOp>(op);
  auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(op, call.getCalleeAttr());
  if (!callee || callee.isExternal())
    return;
  for (auto [operand, argument] :
       llvm::zip(op->getOpOperands(), callee.getArguments()))
    addEdge(operand, Value(argument));
  callee.walk([&](func::ReturnOp returnOp) {
    for (auto [operand, result] :
         llvm::zip(returnOp->getOpOperands(), op->getResults()))
      addEdge(operand, Value(result));
  });
}

void ShardingAnalysis::collectEdges() {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    order.push_back(op);
    if (isa<func::CallOp>(op))
      addCallEdges(op);
    auto branch = dyn_cast<RegionBranchOpInterface>(op);
    if (!branch)
      return;
    RegionBranchSuccessorMapping mapping;
    branch.getSuccessorOperandInputMapping(mapping);
    // In the order of the IR, not of addresses.
    auto add = [&](Operation *from) {
      for (OpOperand &operand : from->getOpOperands())
        if (auto it = mapping.find(&operand); it != mapping.end())
          addEdge(operand, it->second);
    };
    add(op);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        add(block.getTerminator());
  });
}

//===----------------------------------------------------------------------===//
// Fixpoint
//===----------------------------------------------------------------------===//

/// Whether the op's interface says loops and maps. Upstream's models of returns and of
/// some tensor ops have loops that belong to no dimension.
static bool isLoopNest(Operation *op) {
  auto shardable = dyn_cast<shard::ShardingInterface>(op);
  return shardable && !isa<func::ReturnOp>(op) &&
         !shardable.getLoopIteratorTypes().empty() &&
         shardable.getIndexingMaps().size() ==
             op->getNumOperands() + op->getNumResults();
}

bool ShardingAnalysis::visit(Operation *op) {
  if (auto shardOp = dyn_cast<shard::ShardOp>(op))
    return grow(shardOp.getSrc(), Sharding(shardOp.getSharding()));
  bool hasGrown = false;
  for (OpOperand &operand : op->getOpOperands())
    if (auto it = edgeTargets.find(&operand); it != edgeTargets.end()) {
      hasGrown |= grow(it->second, getSharding(operand.get()));
      hasGrown |= grow(operand.get(), getSharding(it->second));
    }
  if (!isLoopNest(op))
    return hasGrown;
  std::vector<Sharding> annotations =
      selectAnnotations(cast<shard::ShardingInterface>(op));
  for (auto [i, annotation] : llvm::enumerate(annotations))
    hasGrown |= grow(i < op->getNumOperands()
                         ? op->getOperand(i)
                         : Value(op->getResult(i - op->getNumOperands())),
                     annotation);
  return hasGrown;
}

bool ShardingAnalysis::sweep() {
  bool hasGrown = false;
  for (Operation *op : order)
    hasGrown |= visit(op);
  for (Operation *op : llvm::reverse(order))
    hasGrown |= visit(op);
  return hasGrown;
}

LogicalResult ShardingAnalysis::run() {
  collectEdges();
  if (failed(collectSeeds()))
    return failure();
  if (!grid)
    return success();
  while (sweep())
    ;
  return success();
}

//===----------------------------------------------------------------------===//
// Annotations of one op
//===----------------------------------------------------------------------===//

std::vector<Sharding> ShardingAnalysis::getReplicated(Operation *op) {
  std::vector<Sharding> annotations;
  auto add = [&](Type type) {
    bool isTensor = isShardable(type);
    annotations.push_back(isTensor ? makeSharding(grid, SplitAxes(1), op->getContext())
                                   : Sharding());
  };
  llvm::for_each(op->getOperandTypes(), add);
  llvm::for_each(op->getResultTypes(), add);
  return annotations;
}

bool ShardingAnalysis::divideAll(Operation *op, ArrayRef<Sharding> annotations) {
  for (auto [i, annotation] : llvm::enumerate(annotations)) {
    Type type = i < op->getNumOperands()
                    ? op->getOperand(i).getType()
                    : op->getResult(i - op->getNumOperands()).getType();
    if (annotation && !divides(gridOp, annotation, type))
      return false;
  }
  return true;
}

/// Splits the op's loops as its results and operands are, as far as the interface
/// agrees: what is fixed first, then results, dimension by dimension. The rest is
/// resharded.
std::vector<Sharding>
ShardingAnalysis::selectAnnotations(shard::ShardingInterface op) {
  unsigned numOperands = op->getNumOperands();
  SmallVector<Value> values(op->getOperands());
  llvm::append_range(values, op->getResults());
  SmallVector<unsigned> resultsFirst =
      llvm::to_vector(llvm::seq<unsigned>(numOperands, values.size()));
  llvm::append_range(resultsFirst, llvm::seq<unsigned>(0, numOperands));
  SmallVector<unsigned> priority;
  for (bool isFixed : {true, false})
    for (unsigned i : resultsFirst)
      if (isShardable(values[i].getType()) && getState(values[i]).isFixed == isFixed)
        priority.push_back(i);
  std::vector<Sharding> best = getReplicated(op), accepted(values.size());
  for (unsigned i : priority) {
    SplitAxes wanted = getState(values[i]).axes, chosen(wanted.size());
    for (auto [dim, axes] : llvm::enumerate(wanted)) {
      if (axes.empty())
        continue;
      std::vector<Sharding> tried = accepted;
      SplitAxes more = chosen;
      more[dim] = axes;
      tried[i] = makeSharding(grid, more, op->getContext());
      ArrayRef<Sharding> all(tried);
      FailureOr<ShardingOption> option = op.getShardingOption(
          all.take_front(numOperands), all.drop_front(numOperands));
      if (failed(option) || option->empty)
        continue;
      FailureOr<std::vector<Sharding>> annotations = op.getShardingAnnotations(*option);
      if (failed(annotations) || !divideAll(op, *annotations))
        continue;
      accepted = std::move(tried);
      chosen = std::move(more);
      best = std::move(*annotations);
    }
  }
  return best;
}

std::vector<Sharding> ShardingAnalysis::getAnnotations(Operation *op) {
  if (isLoopNest(op))
    return selectAnnotations(cast<shard::ShardingInterface>(op));
  std::vector<Sharding> annotations = getReplicated(op);
  bool isControlFlow = isa<RegionBranchOpInterface, func::CallOp>(op);
  auto callee = isa<func::CallOp>(op)
                    ? symbols.lookupNearestSymbolFrom<func::FuncOp>(
                          op, cast<func::CallOp>(op).getCalleeAttr())
                    : nullptr;
  if (callee && callee.isExternal())
    isControlFlow = false;
  for (OpOperand &operand : op->getOpOperands()) {
    Sharding &annotation = annotations[operand.getOperandNumber()];
    if (!annotation)
      continue;
    if (auto it = edgeTargets.find(&operand); it != edgeTargets.end())
      annotation = getSharding(it->second);
    else if (isa<func::ReturnOp>(op))
      annotation = getSharding(operand.get());
  }
  for (OpResult result : op->getResults())
    if (isControlFlow && isShardable(result.getType()))
      annotations[op->getNumOperands() + result.getResultNumber()] =
          getSharding(result);
  return annotations;
}
