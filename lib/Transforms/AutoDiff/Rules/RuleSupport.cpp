//===- RuleSupport.cpp - what derivative rules share ----------------------===//
//
// Shape helpers of the rules, and the rules of elementwise and linear ops.
//
//===----------------------------------------------------------------------===//

#include "RuleSupport.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

using namespace mlir;
using namespace mlir::mindir;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

SmallVector<Value> mindir::getDynamicSizes(RankedTensorType type, DimFn dim) {
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      sizes.push_back(dim(i));
  return sizes;
}

Value mindir::insertUnitDims(Arith &a, Value tensor, ArrayRef<int64_t> axes) {
  if (axes.empty())
    return tensor;
  SmallVector<int64_t> shape(getTensorType(tensor).getShape());
  for (int64_t axis : axes)
    shape.insert(shape.begin() + axis, 1);
  auto type = RankedTensorType::get(shape, getTensorType(tensor).getElementType());
  return ReshapeOp::create(
      a.builder, a.loc, type, tensor,
      mindir::getDynamicSizes(a.builder, a.loc, tensor));
}

Value mindir::broadcastTo(Arith &a, Value tensor, RankedTensorType type,
                          DimFn dim) {
  if (tensor.getType() == type)
    return tensor;
  return BroadcastToOp::create(a.builder, a.loc, type, tensor,
                               getDynamicSizes(type, dim));
}

Value mindir::broadcastLike(Arith &a, Value tensor, Value like) {
  return broadcastTo(a, tensor, getTensorType(like), [&](int64_t i) {
    return buildDim(a.builder, a.loc, like, i);
  });
}

Value mindir::broadcastAlong(Arith &a, Value vector, int64_t axis, Value like) {
  SmallVector<int64_t> trailing;
  for (int64_t i = axis + 1; i < getTensorType(like).getRank(); ++i)
    trailing.push_back(i - axis);
  return broadcastLike(a, insertUnitDims(a, vector, trailing), like);
}

SmallVector<int64_t> mindir::getAllAxes(Value tensor, int64_t except) {
  SmallVector<int64_t> axes;
  for (int64_t i = 0; i < getTensorType(tensor).getRank(); ++i)
    if (i != except)
      axes.push_back(i);
  return axes;
}

Value mindir::toPosition(Arith &a, Value index) {
  Value integer = arith::IndexCastOp::create(a.builder, a.loc,
                                             a.builder.getI64Type(), index);
  return tensor::FromElementsOp::create(
      a.builder, a.loc, RankedTensorType::get({}, a.builder.getI64Type()),
      integer);
}

Value mindir::countElements(Arith &a, Value tensor, ArrayRef<int64_t> axes) {
  RankedTensorType type = getTensorType(tensor);
  auto scalar = RankedTensorType::get({}, type.getElementType());
  int64_t known = 1;
  Value unknown;
  for (int64_t axis : axes) {
    if (!type.isDynamicDim(axis)) {
      known *= type.getDimSize(axis);
      continue;
    }
    Value dim = buildDim(a.builder, a.loc, tensor, axis);
    unknown = unknown ? arith::MulIOp::create(a.builder, a.loc, unknown, dim)
                      : dim;
  }
  Value count = buildSplat(a.builder, a.loc, scalar, known, nullptr);
  if (!unknown)
    return count;
  return a.mul(count, CastOp::create(a.builder, a.loc, scalar,
                                     toPosition(a, unknown)));
}

Value mindir::cloneOver(OpBuilder &builder, Operation *op, ValueRange operands) {
  Operation *clone = builder.clone(*op);
  clone->setOperands(operands);
  return clone->getResult(0);
}

//===----------------------------------------------------------------------===//
// Elementwise ops
//===----------------------------------------------------------------------===//

LogicalResult mindir::buildElementwiseVJP(VJPContext &ctx,
                                          ArrayRef<Partial> partials) {
  auto operand = [&](unsigned i) { return ctx.operand(i); };
  auto result = [&] { return ctx.result(0); };
  ElementwisePoint point(ctx.builder, ctx.loc(), operand, result);
  Value g = ctx.cotangent(0);
  for (auto [i, partial] : llvm::enumerate(partials))
    if (partial && ctx.needs(i))
      ctx.set(i, partial(point, g));
  return success();
}

LogicalResult mindir::buildElementwiseJVP(JVPContext &ctx,
                                          ArrayRef<Partial> partials) {
  auto operand = [&](unsigned i) { return ctx.operand(i); };
  auto result = [&] { return ctx.result(0); };
  ElementwisePoint point(ctx.builder, ctx.loc(), operand, result);
  Value sum;
  for (auto [i, partial] : llvm::enumerate(partials)) {
    Value tangent = ctx.tangent(i);
    if (!partial || !tangent)
      continue;
    Value term = partial(point, tangent);
    sum = sum ? point.add(sum, term) : term;
  }
  if (sum)
    ctx.set(0, sum);
  return success();
}

//===----------------------------------------------------------------------===//
// Linear ops
//===----------------------------------------------------------------------===//

LogicalResult mindir::buildTransposeVJP(VJPContext &ctx, Transpose transpose) {
  Value g = ctx.cotangent(0);
  for (unsigned i = 0; i < ctx.op->getNumOperands(); ++i)
    if (ctx.needs(i))
      ctx.set(i, transpose(ctx, i, g));
  return success();
}

LogicalResult mindir::buildMultilinearJVP(JVPContext &ctx) {
  Arith a(ctx.builder, ctx.loc());
  Value sum;
  for (unsigned i = 0; i < ctx.op->getNumOperands(); ++i) {
    Value tangent = ctx.tangent(i);
    if (!tangent)
      continue;
    SmallVector<Value> operands;
    for (unsigned j = 0; j < ctx.op->getNumOperands(); ++j)
      operands.push_back(i == j ? tangent : ctx.operand(j));
    Value term = cloneOver(ctx.builder, ctx.op, operands);
    sum = sum ? a.add(sum, term) : term;
  }
  if (sum)
    ctx.set(0, sum);
  return success();
}

LogicalResult mindir::buildJointlyLinearJVP(JVPContext &ctx) {
  SmallVector<Value> operands;
  for (unsigned i = 0; i < ctx.op->getNumOperands(); ++i)
    operands.push_back(hasDerivative(ctx.op->getOperand(i).getType())
                           ? ctx.tangentOrZero(i)
                           : ctx.operand(i));
  ctx.set(0, cloneOver(ctx.builder, ctx.op, operands));
  return success();
}
