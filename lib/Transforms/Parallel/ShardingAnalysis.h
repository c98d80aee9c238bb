//===- ShardingAnalysis.h - the shardings that follow from those given ----===//
//
// A fixpoint over all functions of a module. What is known of a value is, for each
// dimension, the grid axes that split it; knowledge only grows.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_TRANSFORMS_PARALLEL_SHARDINGANALYSIS_H
#define MINDIR_LIB_TRANSFORMS_PARALLEL_SHARDINGANALYSIS_H

#include "ShardingUtils.h"

#include "mlir/Dialect/Shard/Interfaces/ShardingInterface.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::mindir {

class ShardingAnalysis {
public:
  explicit ShardingAnalysis(ModuleOp module) : module(module) {}

  /// Propagates to the fixpoint. Fails, with an error, if two annotations fix one
  /// value differently, or if more than one grid is used.
  LogicalResult run();

  /// Whether the module has an annotation at all.
  bool hasGrid() const { return bool(grid); }
  /// What is known of a value of rank 1 or more.
  shard::Sharding getSharding(Value value);
  /// What `op` needs of its operands and gives as results, in this order; null where
  /// a value has no dimensions. Control flow needs what the other end of each edge has.
  std::vector<shard::Sharding> getAnnotations(Operation *op);

private:
  struct State {
    SplitAxes axes;
    /// Given by an annotation: does not change.
    bool isFixed = false;
  };

  LogicalResult collectSeeds();
  LogicalResult fix(shard::ShardOp op, Value value, const shard::Sharding &sharding);
  void collectEdges();
  void addEdge(OpOperand &operand, ValueRange targets);
  void addCallEdges(Operation *call);
  bool sweep();
  bool visit(Operation *op);
  State &getState(Value value);
  bool grow(Value value, const shard::Sharding &sharding);
  std::vector<shard::Sharding> selectAnnotations(shard::ShardingInterface op);
  std::vector<shard::Sharding> getReplicated(Operation *op);
  bool divideAll(Operation *op, ArrayRef<shard::Sharding> annotations);

  ModuleOp module;
  SymbolTableCollection symbols;
  FlatSymbolRefAttr grid;
  shard::GridOp gridOp;
  /// Values that have one sharding.
  llvm::EquivalenceClasses<Value> classes;
  DenseMap<Value, State> states;
  /// The value that an operand becomes: of a region, a call or a return.
  DenseMap<OpOperand *, Value> edgeTargets;
  std::vector<Operation *> order;
};

} // namespace mlir::mindir

#endif // MINDIR_LIB_TRANSFORMS_PARALLEL_SHARDINGANALYSIS_H
