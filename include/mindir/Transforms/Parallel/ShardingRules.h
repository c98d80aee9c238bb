//===- ShardingRules.h - how ops are sharded ------------------------------===//
//
// Upstream's ShardingInterface for mindir ops and for control flow.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_TRANSFORMS_PARALLEL_SHARDINGRULES_H
#define MINDIR_TRANSFORMS_PARALLEL_SHARDINGRULES_H

namespace mlir {
class DialectRegistry;
namespace mindir {

/// Attaches `shard::ShardingInterface` to mindir ops that are loop nests (elementwise
/// ops, reductions, products, movement), to `scf.if/while/for` with their
/// terminators, to calls and returns. An op without the interface is run on every
/// device on whole operands.
void registerShardingRules(DialectRegistry &registry);

} // namespace mindir
} // namespace mlir

#endif // MINDIR_TRANSFORMS_PARALLEL_SHARDINGRULES_H
