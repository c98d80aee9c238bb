//===- ShardingUtils.h - shardings as values ------------------------------===//
//
// Conversions between the forms of a sharding, local types, and partition of blocks.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_TRANSFORMS_PARALLEL_SHARDINGUTILS_H
#define MINDIR_LIB_TRANSFORMS_PARALLEL_SHARDINGUTILS_H

#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::mindir {

/// Grid axes per dimension.
using SplitAxes = SmallVector<SmallVector<shard::GridAxis>>;

/// Whether a value can be split: a ranked tensor of rank 1 or more.
bool isShardable(Type type);

/// The axes of a sharding, one entry for each of `rank` dimensions.
SplitAxes getSplitAxes(const shard::Sharding &sharding, int64_t rank);
shard::Sharding makeSharding(FlatSymbolRefAttr grid, const SplitAxes &axes,
                             MLIRContext *context);

/// The same as the attribute of an argument or result.
ShardingAttr toAttribute(const shard::Sharding &sharding);
shard::Sharding fromAttribute(ShardingAttr attribute);

/// The number of devices along `axes`; none if an axis is not the grid's or its
/// extent is unknown.
std::optional<int64_t> getGroupSize(shard::GridOp grid,
                                    ArrayRef<shard::GridAxis> axes);

/// Whether each split size of `type` is known and divided by its group.
bool divides(shard::GridOp grid, const shard::Sharding &sharding, Type type);

/// The type of a device's part; `type` itself if it or the sharding has no part.
/// The sharding must divide the type.
Type getLocalType(Type type, const shard::Sharding &sharding, Operation *from,
                  SymbolTableCollection &symbols);

/// The annotation of a use: of the `shard.shard` that defines the value, or null.
shard::Sharding getUseSharding(Value value);
/// The annotation of a definition: of the `shard.shard` that alone uses it, or null.
shard::Sharding getDefinitionSharding(Value value);

/// Appends to `target`, whose arguments are those of `source` with local types, the
/// partitioned operations of `source`. Fails with an error at an op that is not
/// annotated or cannot be partitioned.
LogicalResult partitionBlock(Block &source, Block &target, IRMapping &mapping,
                             SymbolTableCollection &symbols, OpBuilder &builder);

/// The local types of a block's arguments.
SmallVector<Type> getLocalArgumentTypes(Block &block,
                                        SymbolTableCollection &symbols);

} // namespace mlir::mindir

#endif // MINDIR_LIB_TRANSFORMS_PARALLEL_SHARDINGUTILS_H
