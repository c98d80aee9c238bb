//===- Lanes.cpp - one op under vmap --------------------------------------===//
//
// Reshapes that take lanes into another dimension, and the loop over lanes.
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

#include "../VMap.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::mindir;

Lanes::Lanes(Operation *op, OpBuilder &builder, ValueRange operands,
             ArrayRef<bool> batched, OpFoldResult count)
    : Arith(builder, op->getLoc()), op(op), operands(operands), batched(batched),
      size(getConstantIntValue(count).value_or(ShapedType::kDynamic)) {
  laneCount = dyn_cast<Value>(count);
  if (!laneCount)
    laneCount = arith::ConstantIndexOp::create(builder, loc, size);
}

Value Lanes::all(unsigned i) {
  Value value = operands[i];
  if (batched[i])
    return value;
  return broadcastTo(*this, insertUnitDims(*this, value, {0}),
                     getBatchedType(value.getType(), size), [&](int64_t dim) {
                       return dim == 0 ? laneCount
                                       : buildDim(builder, loc, value, dim - 1);
                     });
}

RankedTensorType Lanes::getType(unsigned i) const {
  return getBatchedType(op->getResult(i).getType(), size);
}

SmallVector<Value> Lanes::getSizes(ValueRange own) const {
  SmallVector<Value> sizes;
  if (ShapedType::isDynamic(size))
    sizes.push_back(laneCount);
  llvm::append_range(sizes, own);
  return sizes;
}

LogicalResult Lanes::refuse(StringRef what) const {
  return op->emitError("TypeError: For '")
         << op->getName() << "' under vmap, expected " << what
         << " to be equal in all lanes, but it differs between them";
}

LogicalResult mindir::applyBatchRule(BatchRule rule, Lanes &lanes,
                                     SmallVectorImpl<Value> &results) {
  for (auto [i, operand] : llvm::enumerate(lanes.op->getOperands()))
    if (operand.getType().isIndex() && lanes.isBatched(i))
      return lanes.refuse("the shape of the result");
  return rule(lanes, results);
}

//===----------------------------------------------------------------------===//
// Lanes in another dimension
//===----------------------------------------------------------------------===//

/// The order of dimensions that moves the one at `from` to `to`.
static SmallVector<int64_t> getMove(int64_t rank, int64_t from, int64_t to) {
  SmallVector<int64_t> order;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != from)
      order.push_back(dim);
  order.insert(order.begin() + to, from);
  return order;
}

static Value moveDim(Arith &a, Value value, int64_t from, int64_t to) {
  if (from == to)
    return value;
  return TransposeOp::create(a.builder, a.loc, value,
                             getMove(getTensorType(value).getRank(), from, to));
}

RankedTensorType Lanes::getMergedType(RankedTensorType type, int64_t axis) const {
  SmallVector<int64_t> shape(type.getShape());
  bool isKnown = !ShapedType::isDynamic(size) && !type.isDynamicDim(axis);
  shape[axis] = isKnown ? size * shape[axis] : ShapedType::kDynamic;
  return type.clone(shape);
}

SmallVector<Value> Lanes::getMergedSizes(RankedTensorType type, int64_t axis,
                                         ValueRange own) {
  auto dim = [&](int64_t i) -> Value {
    Value value = type.isDynamicDim(i)
                      ? own[type.getDynamicDimIndex(i)]
                      : arith::ConstantIndexOp::create(builder, loc, type.getDimSize(i))
                            .getResult();
    return i == axis ? arith::MulIOp::create(builder, loc, value, laneCount).getResult()
                     : value;
  };
  return mindir::getDynamicSizes(getMergedType(type, axis), dim);
}

Value Lanes::merge(Value value, int64_t axis) {
  Value moved = moveDim(*this, value, 0, axis);
  RankedTensorType type = getTensorType(moved);
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + axis);
  bool isKnown = !type.isDynamicDim(axis) && !type.isDynamicDim(axis + 1);
  shape[axis] = isKnown ? type.getDimSize(axis) * shape[axis] : ShapedType::kDynamic;
  auto merged = RankedTensorType::get(shape, type.getElementType());
  auto dim = [&](int64_t i) -> Value {
    Value own = buildDim(builder, loc, moved, i < axis ? i : i + 1);
    return i == axis ? arith::MulIOp::create(builder, loc, own, laneCount).getResult()
                     : own;
  };
  return ReshapeOp::create(builder, loc, merged, moved,
                           mindir::getDynamicSizes(merged, dim));
}

Value Lanes::split(Value value, int64_t axis) {
  RankedTensorType type = getTensorType(value);
  int64_t total = type.getDimSize(axis);
  bool isKnown = !ShapedType::isDynamic(total) && haveKnownCount();
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = isKnown ? total / size : ShapedType::kDynamic;
  shape.insert(shape.begin() + axis, size);
  auto parted = RankedTensorType::get(shape, type.getElementType());
  auto dim = [&](int64_t i) -> Value {
    if (i == axis)
      return laneCount;
    Value own = buildDim(builder, loc, value, i < axis ? i : i - 1);
    if (i != axis + 1)
      return own;
    // Without lanes nothing is divided by zero.
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value divisor = arith::MaxSIOp::create(builder, loc, laneCount, one);
    return arith::DivSIOp::create(builder, loc, own, divisor);
  };
  Value parts = ReshapeOp::create(builder, loc, parted, value,
                                  mindir::getDynamicSizes(parted, dim));
  return moveDim(*this, parts, axis, 0);
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// `position` in front of as many zeros as `value` has dimensions but one.
static SmallVector<Value> getLaneStarts(Arith &a, Value position, Value value) {
  auto scalar = RankedTensorType::get({}, a.builder.getI64Type());
  SmallVector<Value> starts(getTensorType(value).getRank(),
                            buildSplat(a.builder, a.loc, scalar, 0, nullptr));
  starts.front() = toPosition(a, position);
  return starts;
}

/// One lane of `value`, without the dimension of lanes.
static Value takeLane(Arith &a, Value value, Value position) {
  RankedTensorType type = getTensorType(value);
  SmallVector<int64_t> shape(type.getShape());
  shape.front() = 1;
  auto dim = [&](int64_t i) { return buildDim(a.builder, a.loc, value, i); };
  auto partType = RankedTensorType::get(shape, type.getElementType());
  Value part = DynamicSliceOp::create(a.builder, a.loc, partType, value,
                                      getLaneStarts(a, position, value),
                                      mindir::getDynamicSizes(partType, dim));
  auto laneType =
      RankedTensorType::get(type.getShape().drop_front(), type.getElementType());
  return ReshapeOp::create(
      a.builder, a.loc, laneType, part,
      mindir::getDynamicSizes(laneType, [&](int64_t i) { return dim(i + 1); }));
}

IRMapping Lanes::mapLane(Value position) {
  IRMapping mapping;
  for (auto [i, primal] : llvm::enumerate(op->getOperands()))
    mapping.map(primal, batched[i] ? castTo(builder, loc,
                                            takeLane(*this, operands[i], position),
                                            primal.getType())
                                   : operands[i]);
  return mapping;
}

Value Lanes::loop(DimFn dim) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value init = buildSplat(builder, loc, getType(), 0, [&](int64_t i) {
    return i == 0 ? laneCount : dim(i - 1);
  });
  auto loop = scf::ForOp::create(builder, loc, zero, laneCount, one, init);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  IRMapping mapping = mapLane(loop.getInductionVar());
  Value lane = builder.clone(*op, mapping)->getResult(0);
  Value joined = loop.getRegionIterArg(0);
  Value next = DynamicUpdateSliceOp::create(
      builder, loc, joined, insertUnitDims(*this, lane, {0}),
      getLaneStarts(*this, loop.getInductionVar(), joined));
  scf::YieldOp::create(builder, loc, next);
  return loop.getResult(0);
}
