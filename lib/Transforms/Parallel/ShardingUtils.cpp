//===- ShardingUtils.cpp - shardings as values ----------------------------===//
//
// Conversions between the forms of a sharding, and local types.
//
//===----------------------------------------------------------------------===//

#include "ShardingUtils.h"

using namespace mlir;
using namespace mlir::mindir;
using shard::GridAxis;
using shard::Sharding;

bool mindir::isShardable(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() > 0;
}

SplitAxes mindir::getSplitAxes(const Sharding &sharding, int64_t rank) {
  SplitAxes axes(rank);
  for (auto [dim, list] : llvm::enumerate(sharding.getSplitAxes()))
    if (static_cast<int64_t>(dim) < rank)
      axes[dim] = llvm::to_vector(list.asArrayRef());
  return axes;
}

Sharding mindir::makeSharding(FlatSymbolRefAttr grid, const SplitAxes &axes,
                              MLIRContext *context) {
  SplitAxes trimmed = axes;
  shard::removeTrailingEmptySubArray(trimmed);
  SmallVector<shard::GridAxesAttr> lists;
  for (ArrayRef<GridAxis> list : trimmed)
    lists.push_back(shard::GridAxesAttr::get(context, list));
  return Sharding::get(grid, lists);
}

ShardingAttr mindir::toAttribute(const Sharding &sharding) {
  MLIRContext *context = sharding.getGridAttr().getContext();
  SmallVector<DenseI64ArrayAttr> lists;
  for (shard::GridAxesAttr list : sharding.getSplitAxes()) {
    SmallVector<int64_t> axes(list.asArrayRef());
    lists.push_back(DenseI64ArrayAttr::get(context, axes));
  }
  return ShardingAttr::get(context, sharding.getGridAttr(), lists);
}

Sharding mindir::fromAttribute(ShardingAttr attribute) {
  SplitAxes axes;
  for (DenseI64ArrayAttr list : attribute.getSplitAxes())
    axes.push_back(llvm::map_to_vector(
        list.asArrayRef(), [](int64_t axis) { return GridAxis(axis); }));
  return makeSharding(attribute.getGrid(), axes, attribute.getContext());
}

std::optional<int64_t> mindir::getGroupSize(shard::GridOp grid,
                                            ArrayRef<GridAxis> axes) {
  int64_t size = 1;
  for (GridAxis axis : axes) {
    if (axis < 0 || axis >= grid.getRank() ||
        ShapedType::isDynamic(grid.getShape()[axis]))
      return std::nullopt;
    size *= grid.getShape()[axis];
  }
  return size;
}

bool mindir::divides(shard::GridOp grid, const Sharding &sharding, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return true;
  SplitAxes axes = getSplitAxes(sharding, tensor.getRank());
  for (auto [size, list] : llvm::zip(tensor.getShape(), axes)) {
    std::optional<int64_t> group = getGroupSize(grid, list);
    if (!list.empty() && (!group || *group == 0 || ShapedType::isDynamic(size) ||
                          size % *group != 0))
      return false;
  }
  return true;
}

Type mindir::getLocalType(Type type, const Sharding &sharding, Operation *from,
                          SymbolTableCollection &symbols) {
  if (!sharding || !isShardable(type))
    return type;
  auto tensor = cast<RankedTensorType>(type);
  auto grid = symbols.lookupNearestSymbolFrom<shard::GridOp>(
      from, sharding.getGridAttr());
  SmallVector<int64_t> shape(tensor.getShape());
  SplitAxes axes = getSplitAxes(sharding, tensor.getRank());
  for (auto [size, list] : llvm::zip(shape, axes))
    if (!list.empty())
      size /= *getGroupSize(grid, list);
  return tensor.clone(shape);
}

Sharding mindir::getUseSharding(Value value) {
  auto shardOp = value.getDefiningOp<shard::ShardOp>();
  return shardOp ? Sharding(shardOp.getSharding()) : Sharding();
}

Sharding mindir::getDefinitionSharding(Value value) {
  if (!value.hasOneUse())
    return {};
  auto shardOp = dyn_cast<shard::ShardOp>(*value.user_begin());
  return shardOp ? Sharding(shardOp.getSharding()) : Sharding();
}
