//===- ElementwiseRules.cpp - derivatives of elementwise ops --------------===//
//
// One partial derivative per operand gives both the VJP and the JVP.
//
//===----------------------------------------------------------------------===//

#include "RuleSupport.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mlir::mindir;

using Point = ElementwisePoint;

//===----------------------------------------------------------------------===//
// Unary
//===----------------------------------------------------------------------===//

/// At zero, zero.
static Value dAbs(Point &p, Value g) {
  return p.mul(g, SignOp::create(p.builder, p.loc, p.x()));
}
static Value dNeg(Point &p, Value g) { return p.neg(g); }
static Value dExp(Point &p, Value g) { return p.mul(g, p.y()); }
static Value dExpm1(Point &p, Value g) {
  return p.mul(g, p.add(p.y(), p.splat(g, 1)));
}
static Value dLog(Point &p, Value g) { return p.div(g, p.x()); }
static Value dLog1p(Point &p, Value g) {
  return p.div(g, p.add(p.x(), p.splat(g, 1)));
}
/// At zero, infinity.
static Value dSqrt(Point &p, Value g) { return p.div(g, p.scale(p.y(), 2)); }
static Value dRsqrt(Point &p, Value g) {
  return p.mul(g, p.scale(p.div(p.y(), p.x()), -0.5));
}
static Value dSin(Point &p, Value g) {
  return p.mul(g, CosOp::create(p.builder, p.loc, p.x()));
}
static Value dCos(Point &p, Value g) {
  return p.neg(p.mul(g, SinOp::create(p.builder, p.loc, p.x())));
}
static Value dTanh(Point &p, Value g) {
  return p.mul(g, p.sub(p.splat(g, 1), p.mul(p.y(), p.y())));
}
static Value dErf(Point &p, Value g) {
  Value gauss = p.exp(p.neg(p.mul(p.x(), p.x())));
  return p.mul(g, p.scale(gauss, 2 / std::sqrt(std::acos(-1.0))));
}
static Value dSigmoid(Point &p, Value g) {
  return p.mul(g, p.mul(p.y(), p.sub(p.splat(g, 1), p.y())));
}
/// Reads the result, which the next op often keeps anyway. At zero, zero.
static Value dRelu(Point &p, Value g) {
  Value y = p.y();
  return p.where(p.compare(ComparePredicate::gt, y, p.splat(y, 0)), g);
}

//===----------------------------------------------------------------------===//
// Binary
//===----------------------------------------------------------------------===//

static Value identity(Point &, Value g) { return g; }
static Value dMulLhs(Point &p, Value g) { return p.mul(g, p.x(1)); }
static Value dMulRhs(Point &p, Value g) { return p.mul(g, p.x(0)); }
static Value dDivLhs(Point &p, Value g) { return p.div(g, p.x(1)); }
static Value dDivRhs(Point &p, Value g) {
  return p.neg(p.mul(g, p.div(p.y(), p.x(1))));
}
static Value dFloorModRhs(Point &p, Value g) {
  return p.neg(
      p.mul(g, FloorDivOp::create(p.builder, p.loc, p.x(0), p.x(1))));
}

/// `y * x^(y - 1)`. Where the exponent is zero the base is replaced by one, which
/// gives an exact zero in this and in every further derivative.
static Value dPowLhs(Point &p, Value g) {
  Value x = p.x(0), exponent = p.x(1);
  Value one = p.splat(x, 1);
  Value isZero = p.compare(ComparePredicate::eq, exponent, p.splat(x, 0));
  Value base = p.select(isZero, one, x);
  Value power =
      PowOp::create(p.builder, p.loc, base, p.sub(exponent, one));
  return p.mul(g, p.mul(exponent, power));
}

/// `x^y * log(x)`; zero for a zero base and an exponent of at least zero, its
/// limit.
static Value dPowRhs(Point &p, Value g) {
  Value x = p.x(0), exponent = p.x(1);
  Value zero = p.splat(x, 0);
  Value hasLimit = AndOp::create(
      p.builder, p.loc, p.compare(ComparePredicate::eq, x, zero),
      p.compare(ComparePredicate::ge, exponent, zero));
  Value base = p.select(hasLimit, p.splat(x, 1), x);
  return p.mul(g, p.mul(p.y(), LogOp::create(p.builder, p.loc, base)));
}

/// A tie gives the whole derivative to the first operand.
template <ComparePredicate predicate> Value dExtremeLhs(Point &p, Value g) {
  return p.where(p.compare(predicate, p.x(0), p.x(1)), g);
}
template <ComparePredicate predicate> Value dExtremeRhs(Point &p, Value g) {
  Value first = p.compare(predicate, p.x(0), p.x(1));
  return p.select(first, p.splat(g, 0), g);
}

/// The side not chosen gets an exact zero, whatever stands there.
static Value dSelectTrue(Point &p, Value g) { return p.where(p.x(0), g); }
static Value dSelectFalse(Point &p, Value g) {
  return p.select(p.x(0), p.splat(g, 0), g);
}

//===----------------------------------------------------------------------===//
// Cast
//===----------------------------------------------------------------------===//

namespace {
struct CastRules
    : DifferentiableOpInterface::ExternalModel<CastRules, CastOp> {
  LogicalResult buildVJP(Operation *op, VJPContext &ctx) const {
    if (ctx.needs(0))
      ctx.set(0, castElements(ctx.builder, ctx.loc(), ctx.cotangent(0),
                              op->getOperand(0).getType()));
    return success();
  }
  LogicalResult buildJVP(Operation *op, JVPContext &ctx) const {
    ctx.set(0, castElements(ctx.builder, ctx.loc(), ctx.tangent(0),
                            op->getResult(0).getType()));
    return success();
  }

private:
  static Value castElements(OpBuilder &builder, Location loc, Value value,
                            Type type) {
    auto target =
        cast<RankedTensorType>(value.getType()).clone(getElementTypeOrSelf(type));
    return CastOp::create(builder, loc, target, value);
  }
};
} // namespace

void mindir::attachElementwiseRules(MLIRContext *context) {
  attachElementwise<AbsOp, dAbs>(context);
  attachElementwise<NegOp, dNeg>(context);
  attachElementwise<ExpOp, dExp>(context);
  attachElementwise<Expm1Op, dExpm1>(context);
  attachElementwise<LogOp, dLog>(context);
  attachElementwise<Log1pOp, dLog1p>(context);
  attachElementwise<SqrtOp, dSqrt>(context);
  attachElementwise<RsqrtOp, dRsqrt>(context);
  attachElementwise<SinOp, dSin>(context);
  attachElementwise<CosOp, dCos>(context);
  attachElementwise<TanhOp, dTanh>(context);
  attachElementwise<ErfOp, dErf>(context);
  attachElementwise<SigmoidOp, dSigmoid>(context);
  attachElementwise<ReluOp, dRelu>(context);
  attachElementwise<AddOp, identity, identity>(context);
  attachElementwise<SubOp, identity, dNeg>(context);
  attachElementwise<MulOp, dMulLhs, dMulRhs>(context);
  attachElementwise<DivOp, dDivLhs, dDivRhs>(context);
  attachElementwise<FloorModOp, identity, dFloorModRhs>(context);
  attachElementwise<PowOp, dPowLhs, dPowRhs>(context);
  constexpr auto ge = ComparePredicate::ge, le = ComparePredicate::le;
  attachElementwise<MaximumOp, dExtremeLhs<ge>, dExtremeRhs<ge>>(context);
  attachElementwise<MinimumOp, dExtremeLhs<le>, dExtremeRhs<le>>(context);
  attachElementwise<SelectOp, nullptr, dSelectTrue, dSelectFalse>(context);
  CastOp::attachInterface<CastRules>(*context);
}
