//===- ValueUtils.h - zeros, constants and casts of tensors ---------------===//
//
// Small builders that both modes and the rules use.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_TRANSFORMS_AUTODIFF_VALUEUTILS_H
#define MINDIR_LIB_TRANSFORMS_AUTODIFF_VALUEUTILS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::mindir {

/// The size of one dimension, as an index value.
using DimFn = function_ref<Value(int64_t dim)>;

/// Whether a value of this type has a derivative: float tensors, float scalars
/// and tapes.
bool hasDerivative(Type type);

/// Builds a tensor of `type` (numeric) whose elements are all `value`; `dim` gives
/// the sizes that the type does not know.
Value buildSplat(OpBuilder &builder, Location loc, RankedTensorType type,
                 double value, DimFn dim);

/// The same, with the type and sizes of `like`, which is visible at the builder.
Value buildSplatLike(OpBuilder &builder, Location loc, Value like, double value);

/// Builds a zero of any type that has a derivative; of a tape, the empty one.
Value buildZero(OpBuilder &builder, Location loc, Type type, DimFn dim);

/// Returns `value` under `type`, which differs at most in which sizes it knows.
Value castTo(OpBuilder &builder, Location loc, Value value, Type type);

/// Builds `tensor.dim`, or the constant if the type knows the size.
Value buildDim(OpBuilder &builder, Location loc, Value tensor, int64_t dim);

/// Whether `value` is known to be zero: a constant, or a broadcast of one.
bool isZero(Value value);

} // namespace mlir::mindir

#endif // MINDIR_LIB_TRANSFORMS_AUTODIFF_VALUEUTILS_H
