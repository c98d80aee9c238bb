//===- LocalOps.h - ops on a device's parts -------------------------------===//
//
// What a device computes of a split op.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_TRANSFORMS_PARALLEL_LOCALOPS_H
#define MINDIR_LIB_TRANSFORMS_PARALLEL_LOCALOPS_H

#include "ShardingLoops.h"

namespace mlir::mindir {

/// What the partition of one op is given: how its operands and results are split, by
/// the option that its loops take, and where to build.
struct PartitionArgs {
  ArrayRef<shard::Sharding> operands, results;
  const shard::ShardingOption &option;
  IRMapping &mapping;
  SymbolTableCollection &symbols;
  OpBuilder &builder;
};

/// Builds a mindir op on local parts, with the collectives that join its partial
/// results, and maps its results to theirs.
LogicalResult buildLocalOp(Operation *op, PartitionArgs args);

} // namespace mlir::mindir

#endif // MINDIR_LIB_TRANSFORMS_PARALLEL_LOCALOPS_H
