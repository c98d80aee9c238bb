//===- CollectiveOps.cpp - collectives ------------------------------------===//
//
// Verification of collectives against their grid, and folding of those over groups
// of one device.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/Builders.h"

#define GET_OP_CLASSES
#include "mindir/Dialect/MindIR/IR/CollectiveOps.cpp.inc"

using namespace mlir;
using namespace mlir::mindir;

static RankedTensorType getRankedType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Checks that the axes are distinct ones of the grid, and gives the size of a
/// group; unknown if the grid's shape is.
template <typename OpTy>
static FailureOr<int64_t> verifyGroup(OpTy op, StringRef name,
                                      SymbolTableCollection &symbols) {
  auto grid = symbols.lookupNearestSymbolFrom<shard::GridOp>(op, op.getGridAttr());
  // all_reduce_c1, all_gather_c1, all_slice_c1, reduce_scatter_c1, all_to_all_c1
  if (!grid)
    return OpError(op.getLoc(), ErrorKind::Value, name)
           << "expected the name of a shard.grid, but found '" << op.getGrid() << "'";
  llvm::SmallDenseSet<int64_t> seen;
  int64_t size = 1;
  // all_reduce_c2, all_gather_c2, all_slice_c2, reduce_scatter_c2, all_to_all_c2
  for (int64_t axis : op.getGridAxes()) {
    if (axis < 0 || axis >= grid.getRank() || !seen.insert(axis).second)
      return OpError(op.getLoc(), ErrorKind::Value, name)
             << "expected distinct axes of grid '" << op.getGrid() << "' of shape ["
             << grid.getShape() << "], but got [" << op.getGridAxes() << "]";
    int64_t extent = grid.getShape()[axis];
    bool isKnown = !ShapedType::isDynamic(size) && !ShapedType::isDynamic(extent);
    size = isKnown ? size * extent : ShapedType::kDynamic;
  }
  return size;
}

/// Whether the op's groups have one device each, so that it moves nothing.
template <typename OpTy> static bool isOverSingleDevices(OpTy op) {
  if (op.getGridAxes().empty())
    return true;
  auto grid =
      SymbolTable::lookupNearestSymbolFrom<shard::GridOp>(op, op.getGridAttr());
  return grid && llvm::all_of(op.getGridAxes(), [&](int64_t axis) {
           return axis >= 0 && axis < grid.getRank() && grid.getShape()[axis] == 1;
         });
}

/// The input, if it is the result because each device is alone in its group.
template <typename OpTy> static OpFoldResult foldSingleDevices(OpTy op) {
  if (op.getInput().getType() == op.getType() && isOverSingleDevices(op))
    return op.getInput();
  return {};
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

namespace {
/// What a collective makes of the input's shape.
struct ShapeChange {
  /// Dimension that a group cuts into parts, if any.
  std::optional<int64_t> split;
  /// Dimension along which a group's parts are joined, if any.
  std::optional<int64_t> join;
};
} // namespace

/// The shape of the result, or an error if the group does not divide a size.
static FailureOr<SmallVector<int64_t>>
getCollectiveShape(Operation *op, StringRef name, RankedTensorType input,
                   ShapeChange change, int64_t group) {
  SmallVector<int64_t> shape(input.getShape());
  // all_gather_c3, all_slice_c3, reduce_scatter_c3, all_to_all_c3
  for (std::optional<int64_t> axis : {change.split, change.join})
    if (axis && failed(verifyAxis(op->getLoc(), name, *axis, input.getRank())))
      return failure();
  auto scale = [&](int64_t &size, auto combine) {
    bool isKnown = !ShapedType::isDynamic(size) && !ShapedType::isDynamic(group);
    size = isKnown ? combine(size) : ShapedType::kDynamic;
  };
  if (change.split) {
    // all_slice_c4, reduce_scatter_c4, all_to_all_c4
    int64_t size = shape[*change.split];
    if (!ShapedType::isDynamic(size) && !ShapedType::isDynamic(group) &&
        (group == 0 || size % group != 0))
      return OpError(op->getLoc(), ErrorKind::Value, name)
             << "dimension " << *change.split << " has size " << size
             << ", which the " << group << " devices of a group do not divide";
    scale(shape[*change.split], [=](int64_t size) { return size / group; });
  }
  if (change.join)
    scale(shape[*change.join], [=](int64_t size) { return size * group; });
  return shape;
}

/// Checks grid, axes and result type of a collective that changes the shape.
template <typename OpTy>
static LogicalResult verifyCollective(OpTy op, StringRef name, ShapeChange change,
                                      SymbolTableCollection &symbols) {
  FailureOr<int64_t> group = verifyGroup(op, name, symbols);
  if (failed(group))
    return failure();
  RankedTensorType input = getRankedType(op.getInput());
  auto shape = getCollectiveShape(op, name, input, change, *group);
  if (failed(shape))
    return failure();
  auto expected = RankedTensorType::get(*shape, input.getElementType());
  if (areCompatibleTensorTypes(Type(expected), Type(op.getType())))
    return success(); // all_gather_c4, and the sizes of the others
  return OpError(op.getLoc(), ErrorKind::Value, name)
         << "over groups of " << *group << " devices, " << input << " becomes "
         << expected << ", but the result has " << op.getType();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult AllReduceOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyGroup(*this, "AllReduce", symbols);
}

LogicalResult AllGatherOp::verifySymbolUses(SymbolTableCollection &symbols) {
  ShapeChange change;
  change.join = getAxis();
  return verifyCollective(*this, "AllGather", change, symbols);
}

LogicalResult AllSliceOp::verifySymbolUses(SymbolTableCollection &symbols) {
  ShapeChange change;
  change.split = getAxis();
  return verifyCollective(*this, "AllSlice", change, symbols);
}

LogicalResult ReduceScatterOp::verifySymbolUses(SymbolTableCollection &symbols) {
  ShapeChange change;
  change.split = getAxis();
  return verifyCollective(*this, "ReduceScatter", change, symbols);
}

LogicalResult AllToAllOp::verifySymbolUses(SymbolTableCollection &symbols) {
  ShapeChange change;
  change.split = getSplitAxis();
  change.join = getConcatAxis();
  return verifyCollective(*this, "AllToAll", change, symbols);
}

OpFoldResult AllReduceOp::fold(FoldAdaptor) { return foldSingleDevices(*this); }
OpFoldResult AllGatherOp::fold(FoldAdaptor) { return foldSingleDevices(*this); }
OpFoldResult AllSliceOp::fold(FoldAdaptor) { return foldSingleDevices(*this); }
OpFoldResult ReduceScatterOp::fold(FoldAdaptor) { return foldSingleDevices(*this); }
OpFoldResult AllToAllOp::fold(FoldAdaptor) { return foldSingleDevices(*this); }
