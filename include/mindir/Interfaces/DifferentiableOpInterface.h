//===- DifferentiableOpInterface.h - VJP and JVP rules --------------------===//
//
// The contexts through which a derivative rule reads primal values and
// cotangents (or tangents) and gives its answer.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_INTERFACES_DIFFERENTIABLEOPINTERFACE_H
#define MINDIR_INTERFACES_DIFFERENTIABLEOPINTERFACE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace mlir::mindir {

/// What a VJP rule sees. `builder` stands in the backward function, where the
/// op's primal operands and results are not visible: `operand(i)` and
/// `result(i)` bring them over (making them residuals) when asked.
class VJPContext {
public:
  VJPContext(Operation *op, OpBuilder &builder) : op(op), builder(builder) {}
  virtual ~VJPContext() = default;

  /// Primal value of operand `i` / result `i`, valid at the builder's point.
  virtual Value operand(unsigned i) = 0;
  virtual Value result(unsigned i) = 0;
  /// Size of dimension `dim` of operand `i`, as an index value; cheaper than
  /// `operand(i)` since only the size becomes a residual.
  virtual Value operandDim(unsigned i, int64_t dim) = 0;
  /// A zero of operand `i`'s / result `i`'s type and sizes; of a tape, the empty
  /// one.
  virtual Value operandZero(unsigned i) = 0;
  virtual Value resultZero(unsigned i) = 0;
  /// Cotangent of result `i`, or null when it is zero.
  virtual Value cotangent(unsigned i) = 0;
  /// Whether operand `i`'s cotangent is asked for.
  virtual bool needs(unsigned i) = 0;
  /// Gives the cotangent of operand `i`; without a call it is zero.
  virtual void set(unsigned i, Value cotangent) = 0;

  Location loc() { return op->getLoc(); }

  Operation *op;
  OpBuilder &builder;
};

/// What a JVP rule sees. Primal operands and results are directly visible.
class JVPContext {
public:
  JVPContext(Operation *op, OpBuilder &builder) : op(op), builder(builder) {}
  virtual ~JVPContext() = default;

  /// Primal value of operand `i` / result `i` in the forward-mode function.
  virtual Value operand(unsigned i) = 0;
  virtual Value result(unsigned i) = 0;
  /// Tangent of operand `i`, or null when it is zero.
  virtual Value tangent(unsigned i) = 0;
  /// The same, a zero being made; for an op that combines its operands' tangents.
  virtual Value tangentOrZero(unsigned i) = 0;
  /// Gives the tangent of result `i`; without a call it is zero.
  virtual void set(unsigned i, Value tangent) = 0;

  Location loc() { return op->getLoc(); }

  Operation *op;
  OpBuilder &builder;
};

} // namespace mlir::mindir

#include "mindir/Interfaces/DifferentiableOpInterface.h.inc"

#endif // MINDIR_INTERFACES_DIFFERENTIABLEOPINTERFACE_H
