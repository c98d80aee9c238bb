//===- Tensor.cpp - tensors of the reference interpreter ------------------===//
//
// Dtypes, exact rounding, element access and the byte form of tensors.
//
//===----------------------------------------------------------------------===//

#include "mindir/Reference/Tensor.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/ErrorHandling.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace mlir::mindir;
using namespace mlir::mindir::reference;

/// More than this is refused, so that a wrong size is an error, not a crash.
static constexpr int64_t kMaxElements = int64_t(1) << 27;

//===----------------------------------------------------------------------===//
// Dtypes
//===----------------------------------------------------------------------===//

static std::optional<DType> getIntegerDType(IntegerType type) {
  bool isUnsigned = type.isUnsigned();
  switch (type.getWidth()) {
  case 1:
    return DType::Bool;
  case 8:
    return isUnsigned ? DType::UI8 : DType::I8;
  case 16:
    return isUnsigned ? DType::UI16 : DType::I16;
  case 32:
    return isUnsigned ? DType::UI32 : DType::I32;
  case 64:
    return isUnsigned ? DType::UI64 : DType::I64;
  default:
    return std::nullopt;
  }
}

std::optional<DType> reference::getDType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return getIntegerDType(integer);
  if (type.isIndex())
    return DType::Index;
  if (type.isF16())
    return DType::F16;
  if (type.isBF16())
    return DType::BF16;
  if (type.isF32())
    return DType::F32;
  if (type.isF64())
    return DType::F64;
  return std::nullopt;
}

Type reference::getElementType(DType dtype, MLIRContext *context) {
  switch (dtype) {
  case DType::Index:
    return IndexType::get(context);
  case DType::F16:
    return Float16Type::get(context);
  case DType::BF16:
    return BFloat16Type::get(context);
  case DType::F32:
    return Float32Type::get(context);
  case DType::F64:
    return Float64Type::get(context);
  default:
    return IntegerType::get(context, getBitWidth(dtype),
                            isUnsigned(dtype) ? IntegerType::Unsigned
                                              : IntegerType::Signless);
  }
}

bool reference::isFloat(DType dtype) { return dtype >= DType::F16; }

bool reference::isUnsigned(DType dtype) {
  return dtype >= DType::UI8 && dtype <= DType::UI64;
}

unsigned reference::getBitWidth(DType dtype) {
  switch (dtype) {
  case DType::Bool:
    return 1;
  case DType::I8:
  case DType::UI8:
    return 8;
  case DType::I16:
  case DType::UI16:
  case DType::F16:
  case DType::BF16:
    return 16;
  case DType::I32:
  case DType::UI32:
  case DType::F32:
    return 32;
  default:
    return 64;
  }
}

unsigned reference::getByteWidth(DType dtype) {
  return (getBitWidth(dtype) + 7) / 8;
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

Integer reference::getLeastInteger(DType dtype) {
  if (dtype == DType::Bool || isUnsigned(dtype))
    return 0;
  return -(Integer(1) << (getBitWidth(dtype) - 1));
}

Integer reference::getGreatestInteger(DType dtype) {
  bool isSigned = dtype != DType::Bool && !isUnsigned(dtype);
  return (Integer(1) << (getBitWidth(dtype) - isSigned)) - 1;
}

Integer reference::wrapToDType(Integer value, DType dtype) {
  Integer modulus = Integer(1) << getBitWidth(dtype);
  Integer low = value & (modulus - 1);
  return low > getGreatestInteger(dtype) ? low - modulus : low;
}

Integer reference::addWrapping(Integer lhs, Integer rhs) {
  using Unsigned = unsigned __int128;
  return static_cast<Integer>(static_cast<Unsigned>(lhs) +
                              static_cast<Unsigned>(rhs));
}

Integer reference::multiplyWrapping(Integer lhs, Integer rhs) {
  using Unsigned = unsigned __int128;
  return static_cast<Integer>(static_cast<Unsigned>(lhs) *
                              static_cast<Unsigned>(rhs));
}

/// Rounds to `precision` significant bits with exponents from `minExponent` (of
/// the least normal value) to `maxExponent`.
static double roundToPrecision(Real value, int precision, int minExponent,
                               int maxExponent) {
  if (value == 0 || !std::isfinite(value))
    return static_cast<double>(value);
  int exponent = std::max(std::ilogb(value), minExponent);
  Real quantum = std::ldexp(Real(1), exponent - precision + 1);
  Real rounded = std::rint(value / quantum) * quantum;
  if (std::fabs(rounded) >= std::ldexp(Real(1), maxExponent + 1))
    return std::copysign(std::numeric_limits<double>::infinity(),
                         static_cast<double>(value));
  return static_cast<double>(rounded);
}

double reference::roundToDType(Real value, DType dtype) {
  switch (dtype) {
  case DType::F16:
    return roundToPrecision(value, 11, -14, 15);
  case DType::BF16:
    return roundToPrecision(value, 8, -126, 127);
  case DType::F32:
    return static_cast<float>(value);
  default:
    return static_cast<double>(value);
  }
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

std::optional<int64_t> reference::countElements(ArrayRef<int64_t> shape) {
  Integer count = 1;
  bool isEmpty = false;
  for (int64_t size : shape) {
    if (size < 0)
      return std::nullopt;
    isEmpty |= size == 0;
    count = std::min<Integer>(count * size, Integer(kMaxElements) + 1);
  }
  if (isEmpty)
    return 0;
  if (count > kMaxElements)
    return std::nullopt;
  return static_cast<int64_t>(count);
}

void reference::forEachIndex(
    ArrayRef<int64_t> shape,
    llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> index(shape.size(), 0);
  if (llvm::is_contained(shape, 0))
    return;
  while (true) {
    visit(index);
    int64_t dim = static_cast<int64_t>(shape.size()) - 1;
    while (dim >= 0 && ++index[dim] == shape[dim])
      index[dim--] = 0;
    if (dim < 0)
      return;
  }
}

int64_t reference::linearize(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t position = 0;
  for (auto [i, size] : llvm::zip_equal(index, shape))
    position = position * size + i;
  return position;
}

//===----------------------------------------------------------------------===//
// Tensor
//===----------------------------------------------------------------------===//

Tensor::Tensor(DType dtype, ArrayRef<int64_t> shape)
    : dtype(dtype), shape(shape) {
  int64_t count = countElements(shape).value_or(0);
  if (isFloat())
    reals.resize(count);
  else
    integers.resize(count);
}

Tensor Tensor::scalar(DType dtype, Integer value) {
  Tensor result(dtype, {});
  if (result.isFloat())
    result.setReal(0, static_cast<Real>(value));
  else
    result.setInteger(0, value);
  return result;
}

Integer Tensor::getInteger(int64_t i) const {
  // Values of ui64 above the greatest i64 are kept as their bits.
  if (dtype == DType::UI64)
    return static_cast<uint64_t>(integers[i]);
  return integers[i];
}

void Tensor::copyElement(int64_t to, const Tensor &source, int64_t from) {
  if (isFloat())
    reals[to] = source.reals[from];
  else
    integers[to] = source.integers[from];
}

Tensor Tensor::reshaped(ArrayRef<int64_t> newShape) const {
  Tensor result = *this;
  result.shape.assign(newShape.begin(), newShape.end());
  return result;
}

static const llvm::fltSemantics &getSemantics(DType dtype) {
  switch (dtype) {
  case DType::F16:
    return llvm::APFloat::IEEEhalf();
  case DType::BF16:
    return llvm::APFloat::BFloat();
  case DType::F32:
    return llvm::APFloat::IEEEsingle();
  default:
    return llvm::APFloat::IEEEdouble();
  }
}

static double decodeFloat(uint64_t bits, DType dtype) {
  llvm::APFloat value(getSemantics(dtype),
                      llvm::APInt(getBitWidth(dtype), bits));
  return value.convertToDouble();
}

static uint64_t encodeFloat(double real, DType dtype) {
  llvm::APFloat value(real);
  bool losesInfo;
  value.convert(getSemantics(dtype), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.bitcastToAPInt().getZExtValue();
}

std::optional<Tensor> Tensor::fromBytes(DType dtype, ArrayRef<int64_t> shape,
                                        ArrayRef<char> bytes) {
  std::optional<int64_t> count = countElements(shape);
  size_t width = getByteWidth(dtype);
  if (!count || bytes.size() != *count * width)
    return std::nullopt;
  Tensor result(dtype, shape);
  for (int64_t i = 0; i < *count; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * width, width);
    if (result.isFloat())
      result.reals[i] = decodeFloat(bits, dtype);
    else
      result.setInteger(i, dtype == DType::Bool ? bits != 0 : Integer(bits));
  }
  return result;
}

std::vector<char> Tensor::toBytes() const {
  size_t width = getByteWidth(dtype);
  std::vector<char> bytes(getNumElements() * width);
  for (int64_t i = 0, e = getNumElements(); i < e; ++i) {
    uint64_t bits = isFloat() ? encodeFloat(reals[i], dtype)
                              : static_cast<uint64_t>(integers[i]);
    std::memcpy(bytes.data() + i * width, &bits, width);
  }
  return bytes;
}
