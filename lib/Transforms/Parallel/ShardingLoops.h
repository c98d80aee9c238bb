//===- ShardingLoops.h - ops as loop nests that can be split --------------===//
//
// The one description from which the sharding of an op derives.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_TRANSFORMS_PARALLEL_SHARDINGLOOPS_H
#define MINDIR_LIB_TRANSFORMS_PARALLEL_SHARDINGLOOPS_H

#include "ShardingUtils.h"

#include "mlir/Dialect/Shard/Interfaces/ShardingInterface.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

namespace mlir::mindir {

/// An op as loops over its operands and results.
struct ShardingLoops {
  SmallVector<utils::IteratorType> iterators;
  /// One map per operand, then one per result. A dimension whose expression is a
  /// constant is never split; a map without results belongs to a scalar.
  SmallVector<AffineMap> maps;
  /// What joins the results of a split reduction; `Generic` if nothing does.
  shard::ReductionKind reduction = shard::ReductionKind::Generic;

  bool canSplit(unsigned loop) const {
    return iterators[loop] == utils::IteratorType::parallel ||
           reduction != shard::ReductionKind::Generic;
  }
};

/// Whether a slice takes all of a dimension, which can then be split.
bool takesWhole(SliceOp op, int64_t dim);

/// The loops of a mindir op; without any for an op that must not be split.
ShardingLoops getShardingLoops(Operation *op);

} // namespace mlir::mindir

#endif // MINDIR_LIB_TRANSFORMS_PARALLEL_SHARDINGLOOPS_H
