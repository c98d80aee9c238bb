//===- TypeInference.h - result types as functions on types ---------------===//
//
// Shape and element type rules as free functions, shared by op inference,
// verifiers and builders. An error starts with the exception it becomes in
// Python ("TypeError: " or "ValueError: "), then MindSpore's lead.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_DIALECT_MINDIR_IR_TYPEINFERENCE_H
#define MINDIR_DIALECT_MINDIR_IR_TYPEINFERENCE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"

#include <optional>

namespace mlir::mindir {

/// Whether each actual type has the inferred element type, and a shape that does
/// not contradict the inferred one.
bool areCompatibleTensorTypes(TypeRange inferred, TypeRange actual);

/// Whether `type` is a 0-d tensor of i64.
bool isPositionType(Type type);

/// Whether `type` is the state of a random generator, a tensor of two ui64.
bool isGeneratorStateType(Type type);

/// Whether two sizes can be equal: one is unknown, or they are.
bool areCompatibleSizes(int64_t lhs, int64_t rhs);

/// The size that two compatible sizes agree on; the known one if any.
int64_t mergeSizes(int64_t lhs, int64_t rhs);

/// "TypeError" or "ValueError": the Python exception that a diagnostic becomes.
enum class ErrorKind { Type, Value };

/// Emits an error in MindSpore's lead, "For '<op>', ...", tagged by its kind; does
/// nothing but fail when there is no location.
class OpError {
public:
  OpError(std::optional<Location> location, ErrorKind kind, StringRef op);
  template <typename T> OpError &operator<<(T &&value) {
    if (diagnostic)
      *diagnostic << std::forward<T>(value);
    return *this;
  }
  /// Sizes print as numbers, unknown ones as `?`.
  OpError &operator<<(int64_t size);
  OpError &operator<<(ArrayRef<int64_t> sizes);
  operator LogicalResult() const { return failure(); }
  template <typename T> operator FailureOr<T>() const { return failure(); }

private:
  std::optional<InFlightDiagnostic> diagnostic;
};

/// Checks `axis_c1`: that axis lies in [0, rank).
LogicalResult verifyAxis(std::optional<Location> location, StringRef op,
                         int64_t axis, int64_t rank);

/// Geometry of a window (convolution or pooling) over height and width.
struct WindowAttrs {
  ArrayRef<int64_t> window, strides, padding, dilations;
};

/// Checks a window's attributes (`conv2d_c2`, `max_pool2d_c2`).
LogicalResult verifyWindow(std::optional<Location> location, StringRef op,
                           const WindowAttrs &attrs);

/// The number of window positions along spatial dimension `dim` (0 is height) of
/// an input of `size`; unknown stays unknown.
int64_t getWindowedSize(const WindowAttrs &attrs, unsigned dim, int64_t size);

} // namespace mlir::mindir

#endif // MINDIR_DIALECT_MINDIR_IR_TYPEINFERENCE_H
