//===- Tensor.h - tensors of the reference interpreter --------------------===//
//
// A tensor whose elements are kept wide, and exactly representable in its dtype:
// floats as double, integers as 64 bits. Rounding and wrapping happen in one
// place, when an element is set.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_REFERENCE_TENSOR_H
#define MINDIR_REFERENCE_TENSOR_H

#include "mlir/IR/BuiltinTypes.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::mindir::reference {

/// The type in which floating-point kernels compute and accumulate.
using Real = long double;
/// Holds each value of each integer type.
using Integer = __int128;

enum class DType : uint8_t {
  Bool, I8, I16, I32, I64, UI8, UI16, UI32, UI64, Index, F16, BF16, F32, F64
};

/// The dtype of an element or scalar type; none if no tensor can hold it.
std::optional<DType> getDType(Type type);
Type getElementType(DType dtype, MLIRContext *context);
bool isFloat(DType dtype);
bool isUnsigned(DType dtype);
/// Bits of an element; 1 of bool, 64 of index.
unsigned getBitWidth(DType dtype);
/// Bytes of an element in memory; 1 of bool.
unsigned getByteWidth(DType dtype);
/// The least and the greatest value of an integer type.
Integer getLeastInteger(DType dtype);
Integer getGreatestInteger(DType dtype);
/// The nearest value of a float type, ties to even; overflow gives infinity.
double roundToDType(Real value, DType dtype);
/// The value modulo 2^width in the type's range.
Integer wrapToDType(Integer value, DType dtype);
/// Sum and product modulo 2^128.
Integer addWrapping(Integer lhs, Integer rhs);
Integer multiplyWrapping(Integer lhs, Integer rhs);

/// The number of elements of a shape; none if a size is negative or the number
/// exceeds what the interpreter agrees to allocate.
std::optional<int64_t> countElements(ArrayRef<int64_t> shape);

/// Calls `visit` with each index of `shape`, in row-major order.
void forEachIndex(ArrayRef<int64_t> shape,
                  llvm::function_ref<void(ArrayRef<int64_t>)> visit);
/// The row-major position of an index.
int64_t linearize(ArrayRef<int64_t> index, ArrayRef<int64_t> shape);

/// A dense row-major tensor; scalars and index values are of rank 0.
class Tensor {
public:
  /// A tensor of zeros. `countElements(shape)` must hold a value.
  Tensor(DType dtype, ArrayRef<int64_t> shape);
  static Tensor scalar(DType dtype, Integer value);
  /// Decodes elements in native byte order; none if `bytes` has another length
  /// than the shape needs.
  static std::optional<Tensor> fromBytes(DType dtype, ArrayRef<int64_t> shape,
                                         ArrayRef<char> bytes);
  std::vector<char> toBytes() const;

  DType getDType() const { return dtype; }
  bool isFloat() const { return reference::isFloat(dtype); }
  ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getRank() const { return shape.size(); }
  int64_t getSize(int64_t dim) const { return shape[dim]; }
  int64_t getNumElements() const { return isFloat() ? reals.size() : integers.size(); }

  /// Element `i` in row-major order, of a float tensor.
  Real getReal(int64_t i) const { return reals[i]; }
  /// Element `i` in row-major order, of a bool, integer or index tensor.
  Integer getInteger(int64_t i) const;
  /// Sets an element to the nearest value of the dtype.
  void setReal(int64_t i, Real value) { reals[i] = roundToDType(value, dtype); }
  /// Sets an element to the value modulo 2^width.
  void setInteger(int64_t i, Integer value) {
    integers[i] = static_cast<int64_t>(wrapToDType(value, dtype));
  }
  /// Copies element `from` of `source`, which has the same dtype.
  void copyElement(int64_t to, const Tensor &source, int64_t from);
  /// The same elements under another shape of as many elements.
  Tensor reshaped(ArrayRef<int64_t> newShape) const;

  /// The elements as nested lists in the fewest digits that tell them apart.
  std::string getText() const;
  /// `tensor<2x3xf32>`.
  std::string getTypeText() const;

private:
  DType dtype;
  SmallVector<int64_t> shape;
  std::vector<double> reals;
  std::vector<int64_t> integers;
};

} // namespace mlir::mindir::reference

#endif // MINDIR_REFERENCE_TENSOR_H
