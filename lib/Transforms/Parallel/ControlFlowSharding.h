//===- ControlFlowSharding.h - sharding through regions and calls ---------===//
//
// Upstream's ShardingInterface for scf and func.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_TRANSFORMS_PARALLEL_CONTROLFLOWSHARDING_H
#define MINDIR_LIB_TRANSFORMS_PARALLEL_CONTROLFLOWSHARDING_H

namespace mlir {
class DialectRegistry;
namespace mindir {

/// Attaches the models that partition `scf` regions, calls and terminators.
void registerControlFlowSharding(DialectRegistry &registry);

} // namespace mindir
} // namespace mlir

#endif // MINDIR_LIB_TRANSFORMS_PARALLEL_CONTROLFLOWSHARDING_H
