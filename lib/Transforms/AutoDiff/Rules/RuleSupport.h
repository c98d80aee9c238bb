//===- RuleSupport.h - what derivative rules share ------------------------===//
//
// Arithmetic on tensors at a rule's location, and models for whole classes of
// rules: elementwise ops by their partial derivatives, linear ops by a transpose.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_TRANSFORMS_AUTODIFF_RULES_RULESUPPORT_H
#define MINDIR_LIB_TRANSFORMS_AUTODIFF_RULES_RULESUPPORT_H

#include "../ValueUtils.h"

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Dialect/MindIR/IR/ShapedOp.h"
#include "mindir/Interfaces/DifferentiableOpInterface.h"

namespace mlir::mindir {

/// Builds arithmetic at one location. Operands of one call have one shape and
/// element type.
class Arith {
public:
  Arith(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value add(Value a, Value b) { return AddOp::create(builder, loc, a, b); }
  Value sub(Value a, Value b) { return SubOp::create(builder, loc, a, b); }
  Value mul(Value a, Value b) { return MulOp::create(builder, loc, a, b); }
  Value div(Value a, Value b) { return DivOp::create(builder, loc, a, b); }
  Value neg(Value a) { return NegOp::create(builder, loc, a); }
  Value exp(Value a) { return ExpOp::create(builder, loc, a); }
  Value rsqrt(Value a) { return RsqrtOp::create(builder, loc, a); }
  /// A tensor of `like`'s type and sizes filled with `value`.
  Value splat(Value like, double value) {
    return buildSplatLike(builder, loc, like, value);
  }
  Value scale(Value a, double factor) { return mul(a, splat(a, factor)); }
  Value compare(ComparePredicate predicate, Value a, Value b) {
    return CompareOp::create(builder, loc, predicate, a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return SelectOp::create(builder, loc, a.getType(), condition, a,
                            castTo(builder, loc, b, a.getType()));
  }
  /// `a` where the condition holds, zero elsewhere.
  Value where(Value condition, Value a) {
    return select(condition, a, splat(a, 0));
  }
  Value sum(Value a, ArrayRef<int64_t> axes, bool keepDims = false) {
    return ReduceSumOp::create(builder, loc, a, axes, keepDims);
  }

  OpBuilder &builder;
  Location loc;
};

inline RankedTensorType getTensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Returns `tensor` with dimensions of size one inserted at `axes` (positions in
/// the result, increasing).
Value insertUnitDims(Arith &a, Value tensor, ArrayRef<int64_t> axes);

/// Returns `tensor` (numpy-aligned) broadcast to `type`; `dim` gives its sizes.
Value broadcastTo(Arith &a, Value tensor, RankedTensorType type, DimFn dim);
/// The same, to the type and sizes of `like`.
Value broadcastLike(Arith &a, Value tensor, Value like);

/// Returns a vector broadcast along all dimensions but `axis` of `like`.
Value broadcastAlong(Arith &a, Value vector, int64_t axis, Value like);

/// Returns all dimensions of `tensor`'s type, or all but one.
SmallVector<int64_t> getAllAxes(Value tensor, int64_t except = -1);

/// Returns the sizes that `type` does not know, from `dim`.
SmallVector<Value> getDynamicSizes(RankedTensorType type, DimFn dim);

/// Returns a 0-d tensor of `elementType` holding the product of the sizes of
/// `tensor` along `axes`.
Value countElements(Arith &a, Value tensor, ArrayRef<int64_t> axes);

/// Returns the index value as a position: a 0-d tensor of i64.
Value toPosition(Arith &a, Value index);

/// Builds the op over other operands: the result type is inferred where the op
/// can, else kept. The jet of a linear op.
Value cloneOver(OpBuilder &builder, Operation *op, ValueRange operands);

//===----------------------------------------------------------------------===//
// Elementwise ops
//===----------------------------------------------------------------------===//

/// The point of an elementwise op at which a partial derivative is taken.
class ElementwisePoint : public Arith {
public:
  ElementwisePoint(OpBuilder &builder, Location loc,
                   function_ref<Value(unsigned)> operand,
                   function_ref<Value()> result)
      : Arith(builder, loc), operand(operand), result(result) {}
  Value x(unsigned i = 0) { return operand(i); }
  Value y() { return result(); }

private:
  function_ref<Value(unsigned)> operand;
  function_ref<Value()> result;
};

/// Returns `g` times the partial derivative at the point. The Jacobian being
/// diagonal, the same expression serves cotangents and tangents.
using Partial = Value (*)(ElementwisePoint &point, Value g);

LogicalResult buildElementwiseVJP(VJPContext &ctx, ArrayRef<Partial> partials);
LogicalResult buildElementwiseJVP(JVPContext &ctx, ArrayRef<Partial> partials);

/// The rules of an elementwise op from one partial derivative per operand; null
/// is zero.
template <typename OpTy, Partial... partials>
struct ElementwiseRules
    : DifferentiableOpInterface::ExternalModel<
          ElementwiseRules<OpTy, partials...>, OpTy> {
  LogicalResult buildVJP(Operation *, VJPContext &ctx) const {
    return buildElementwiseVJP(ctx, {partials...});
  }
  LogicalResult buildJVP(Operation *, JVPContext &ctx) const {
    return buildElementwiseJVP(ctx, {partials...});
  }
};

template <typename OpTy, Partial... partials>
void attachElementwise(MLIRContext *context) {
  OpTy::template attachInterface<ElementwiseRules<OpTy, partials...>>(*context);
}

//===----------------------------------------------------------------------===//
// Linear and multilinear ops
//===----------------------------------------------------------------------===//

/// Whether operand `i` takes part in the multilinear map, by its type.
LogicalResult buildMultilinearJVP(JVPContext &ctx);

/// Returns the cotangent of operand `i` from that of the result.
using Transpose = Value (*)(VJPContext &ctx, unsigned i, Value g);

LogicalResult buildTransposeVJP(VJPContext &ctx, Transpose transpose);

/// The rules of an op that is linear in each float operand apart: the tangent is
/// the op itself, summed over the operands; the cotangent its transpose.
template <typename OpTy, Transpose transpose>
struct MultilinearRules
    : DifferentiableOpInterface::ExternalModel<
          MultilinearRules<OpTy, transpose>, OpTy> {
  LogicalResult buildVJP(Operation *, VJPContext &ctx) const {
    return buildTransposeVJP(ctx, transpose);
  }
  LogicalResult buildJVP(Operation *, JVPContext &ctx) const {
    return buildMultilinearJVP(ctx);
  }
};

LogicalResult buildJointlyLinearJVP(JVPContext &ctx);

/// The rules of an op that is linear in all its float operands together: the
/// tangent is the op over the tangents.
template <typename OpTy, Transpose transpose>
struct LinearRules
    : DifferentiableOpInterface::ExternalModel<LinearRules<OpTy, transpose>,
                                               OpTy> {
  LogicalResult buildVJP(Operation *, VJPContext &ctx) const {
    return buildTransposeVJP(ctx, transpose);
  }
  LogicalResult buildJVP(Operation *, JVPContext &ctx) const {
    return buildJointlyLinearJVP(ctx);
  }
};

template <typename OpTy, Transpose transpose>
void attachMultilinear(MLIRContext *context) {
  OpTy::template attachInterface<MultilinearRules<OpTy, transpose>>(*context);
}

template <typename OpTy, Transpose transpose>
void attachLinear(MLIRContext *context) {
  OpTy::template attachInterface<LinearRules<OpTy, transpose>>(*context);
}

//===----------------------------------------------------------------------===//
// The families
//===----------------------------------------------------------------------===//

void attachElementwiseRules(MLIRContext *context);
void attachReductionRules(MLIRContext *context);
void attachLinearRules(MLIRContext *context);
void attachNormalizationRules(MLIRContext *context);
void attachMovementRules(MLIRContext *context);
void attachIndexingRules(MLIRContext *context);
void attachCollectiveRules(MLIRContext *context);
void attachControlFlowRules(MLIRContext *context);
/// The rules of upstream ops that stand among mindir ops.
void attachTensorRules(MLIRContext *context);
void attachArithRules(MLIRContext *context);
/// The vmap rules of the dialect's ops, and of upstream ops.
void attachBatchingRules(MLIRContext *context);
void attachTensorBatchingRules(MLIRContext *context);

} // namespace mlir::mindir

#endif // MINDIR_LIB_TRANSFORMS_AUTODIFF_RULES_RULESUPPORT_H
