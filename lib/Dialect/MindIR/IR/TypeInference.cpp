//===- TypeInference.cpp - result types as functions on types -------------===//
//
// Rules on types that several families share.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/TypeInference.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::mindir;

bool mindir::areCompatibleTensorTypes(TypeRange inferred, TypeRange actual) {
  if (inferred.size() != actual.size())
    return false;
  for (auto [want, have] : llvm::zip(inferred, actual)) {
    if (getElementTypeOrSelf(want) != getElementTypeOrSelf(have) ||
        failed(verifyCompatibleShape(want, have)))
      return false;
  }
  return true;
}

bool mindir::isPositionType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.getRank() == 0 && tensor.getElementType().isInteger(64);
}

bool mindir::isGeneratorStateType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.getShape() == ArrayRef<int64_t>{2} &&
         tensor.getElementType().isUnsignedInteger(64);
}

bool mindir::areCompatibleSizes(int64_t lhs, int64_t rhs) {
  return ShapedType::isDynamic(lhs) || ShapedType::isDynamic(rhs) || lhs == rhs;
}

int64_t mindir::mergeSizes(int64_t lhs, int64_t rhs) {
  return ShapedType::isDynamic(lhs) ? rhs : lhs;
}

OpError::OpError(std::optional<Location> location, ErrorKind kind,
                 StringRef op) {
  if (!location)
    return;
  diagnostic.emplace(mlir::emitError(*location));
  *diagnostic << (kind == ErrorKind::Type ? "TypeError" : "ValueError")
              << ": For '" << op << "', ";
}

OpError &OpError::operator<<(int64_t size) {
  if (diagnostic && ShapedType::isDynamic(size))
    *diagnostic << "?";
  else if (diagnostic)
    *diagnostic << size;
  return *this;
}

OpError &OpError::operator<<(ArrayRef<int64_t> sizes) {
  for (auto [i, size] : llvm::enumerate(sizes))
    *this << StringRef(i ? ", " : "") << size;
  return *this;
}

LogicalResult mindir::verifyAxis(std::optional<Location> location, StringRef op,
                                 int64_t axis, int64_t rank) {
  if (axis >= 0 && axis < rank)
    return success();
  return OpError(location, ErrorKind::Value, op)
         << "the axis must lie in [0, " << rank << ") for a tensor of rank "
         << rank << ", but got " << axis;
}

static bool allAtLeast(ArrayRef<int64_t> values, int64_t bound) {
  return llvm::all_of(values, [=](int64_t value) { return value >= bound; });
}

LogicalResult mindir::verifyWindow(std::optional<Location> location,
                                   StringRef op, const WindowAttrs &attrs) {
  if (attrs.window.size() != 2 || attrs.strides.size() != 2 ||
      attrs.dilations.size() != 2 || attrs.padding.size() != 4)
    return OpError(location, ErrorKind::Value, op)
           << "expected two window sizes, strides and dilations and four "
              "paddings, but got "
           << attrs.window.size() << ", " << attrs.strides.size() << ", "
           << attrs.dilations.size() << " and " << attrs.padding.size();
  if (!allAtLeast(attrs.strides, 1) || !allAtLeast(attrs.dilations, 1))
    return OpError(location, ErrorKind::Value, op)
           << "strides and dilations must be at least 1, but got strides ["
           << attrs.strides << "] and dilations [" << attrs.dilations << "]";
  if (!allAtLeast(attrs.padding, 0))
    return OpError(location, ErrorKind::Value, op)
           << "padding must not be negative, but got [" << attrs.padding << "]";
  return success();
}

int64_t mindir::getWindowedSize(const WindowAttrs &attrs, unsigned dim,
                                int64_t size) {
  if (ShapedType::isDynamic(size) || ShapedType::isDynamic(attrs.window[dim]))
    return ShapedType::kDynamic;
  int64_t padded =
      size + attrs.padding[2 * dim] + attrs.padding[2 * dim + 1];
  int64_t extent = (attrs.window[dim] - 1) * attrs.dilations[dim] + 1;
  return padded < extent ? 0 : (padded - extent) / attrs.strides[dim] + 1;
}
