//===- ValueUtils.cpp - zeros, constants and casts of tensors -------------===//
//
// Small builders that both modes and the rules use.
//
//===----------------------------------------------------------------------===//

#include "ValueUtils.h"

#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::mindir;

bool mindir::hasDerivative(Type type) {
  return isa<FloatType>(getElementTypeOrSelf(type)) || isa<TapeType>(type);
}

static TypedAttr getNumber(Type elementType, double value) {
  if (auto type = dyn_cast<FloatType>(elementType))
    return FloatAttr::get(type, value);
  return IntegerAttr::get(elementType, static_cast<int64_t>(value));
}

Value mindir::buildSplat(OpBuilder &builder, Location loc, RankedTensorType type,
                         double value, DimFn dim) {
  bool isStatic = type.hasStaticShape();
  auto constantType =
      isStatic ? type : RankedTensorType::get({}, type.getElementType());
  Value constant = ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(constantType,
                             getNumber(type.getElementType(), value)));
  if (isStatic)
    return constant;
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      sizes.push_back(dim(i));
  return BroadcastToOp::create(builder, loc, type, constant, sizes);
}

Value mindir::buildSplatLike(OpBuilder &builder, Location loc, Value like,
                             double value) {
  return buildSplat(builder, loc, cast<RankedTensorType>(like.getType()), value,
                    [&](int64_t i) { return buildDim(builder, loc, like, i); });
}

Value mindir::buildZero(OpBuilder &builder, Location loc, Type type, DimFn dim) {
  if (isa<TapeType>(type))
    return TapeEmptyOp::create(builder, loc, type);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return buildSplat(builder, loc, tensor, 0, dim);
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

Value mindir::castTo(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return tensor::CastOp::create(builder, loc, type, value);
}

Value mindir::buildDim(OpBuilder &builder, Location loc, Value tensor,
                       int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return arith::ConstantIndexOp::create(builder, loc, type.getDimSize(dim));
  return tensor::DimOp::create(builder, loc, tensor, dim);
}

bool mindir::isZero(Value value) {
  if (auto broadcast = value.getDefiningOp<BroadcastToOp>())
    return isZero(broadcast.getInput());
  return matchPattern(value, m_AnyZeroFloat());
}
