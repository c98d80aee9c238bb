//===- ElementwiseScalars.cpp - scalar forms of elementwise ops -----------===//
//
// The arithmetic of each elementwise op on one element.
//
//===----------------------------------------------------------------------===//

#include "LoweringUtils.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::mindir;

static Value select(ScalarBuilder &s, Value condition, Value onTrue,
                    Value onFalse) {
  return arith::SelectOp::create(s.b, s.loc, condition, onTrue, onFalse);
}

//===----------------------------------------------------------------------===//
// Unary
//===----------------------------------------------------------------------===//

static Value emitAbs(ScalarBuilder &s, Value x) {
  if (s.isFloat())
    return math::AbsFOp::create(s.b, s.loc, x);
  if (s.isUnsigned())
    return x;
  return math::AbsIOp::create(s.b, s.loc, x);
}

static Value emitNeg(ScalarBuilder &s, Value x) {
  if (s.isFloat())
    return arith::NegFOp::create(s.b, s.loc, x);
  return s.sub(s.constant(0), x);
}

/// NaN stays; both zeros give +0.
static Value emitSign(ScalarBuilder &s, Value x) {
  Value zero = s.constant(0), one = s.constant(1);
  Value isPositive = s.compare(ComparePredicate::gt, x, zero);
  if (s.isUnsigned())
    return select(s, isPositive, one, zero);
  Value isNegative = s.compare(ComparePredicate::lt, x, zero);
  Value rest = zero;
  if (s.isFloat())
    rest = select(s, s.compare(ComparePredicate::eq, x, zero), zero, x);
  return select(s, isPositive, one,
                select(s, isNegative, s.constant(-1), rest));
}

static Value emitSigmoid(ScalarBuilder &s, Value x) {
  Value exp = math::ExpOp::create(s.b, s.loc, emitNeg(s, x));
  Value one = s.constant(1);
  return arith::DivFOp::create(s.b, s.loc, one, s.add(one, exp));
}

static Value emitRsqrt(ScalarBuilder &s, Value x) {
  Value root = math::SqrtOp::create(s.b, s.loc, x);
  return arith::DivFOp::create(s.b, s.loc, s.constant(1), root);
}

//===----------------------------------------------------------------------===//
// Division and power
//===----------------------------------------------------------------------===//

/// Whether a divisor must not reach a divide instruction (zero, or -1, whose
/// quotient of the least integer traps), and the divisor made harmless.
struct SafeDivisor {
  SafeDivisor(ScalarBuilder &s, Value divisor) {
    isZero = s.compare(ComparePredicate::eq, divisor, s.constant(0));
    Value isUnsafe = isZero;
    if (!s.isUnsigned()) {
      isMinusOne = s.compare(ComparePredicate::eq, divisor, s.constant(-1));
      isUnsafe = arith::OrIOp::create(s.b, s.loc, isZero, isMinusOne);
    }
    value = select(s, isUnsafe, s.constant(1), divisor);
  }
  Value isZero, isMinusOne, value;
};

/// Whether a signed remainder has the other sign than the divisor.
static Value needsAdjustment(ScalarBuilder &s, Value remainder, Value divisor) {
  Value zero = s.constant(0);
  Value isInexact = s.compare(ComparePredicate::ne, remainder, zero);
  Value signs = arith::XOrIOp::create(s.b, s.loc, remainder, divisor);
  Value differ = s.compare(ComparePredicate::lt, signs, zero);
  return arith::AndIOp::create(s.b, s.loc, isInexact, differ);
}

/// Whether a float remainder, not zero, has the other sign than the divisor.
static Value signsDiffer(ScalarBuilder &s, Value remainder, Value divisor) {
  Value zero = s.constant(0);
  Value isNegative = s.compare(ComparePredicate::lt, remainder, zero);
  Value divisorIsNegative = s.compare(ComparePredicate::lt, divisor, zero);
  Value isInexact = s.compare(ComparePredicate::ne, remainder, zero);
  Value differ =
      arith::XOrIOp::create(s.b, s.loc, isNegative, divisorIsNegative);
  return arith::AndIOp::create(s.b, s.loc, isInexact, differ);
}

/// numpy's floor_divide: the floor of the exact quotient, not of the rounded one.
static Value emitFloatFloorDiv(ScalarBuilder &s, Value lhs, Value rhs) {
  Value zero = s.constant(0);
  Value ratio = arith::DivFOp::create(s.b, s.loc, lhs, rhs);
  Value remainder = arith::RemFOp::create(s.b, s.loc, lhs, rhs);
  Value quotient =
      arith::DivFOp::create(s.b, s.loc, s.sub(lhs, remainder), rhs);
  quotient = select(s, signsDiffer(s, remainder, rhs),
                    s.sub(quotient, s.constant(1)), quotient);
  Value whole = math::RoundEvenOp::create(s.b, s.loc, quotient);
  Value isZero = s.compare(ComparePredicate::eq, quotient, zero);
  Value signedZero = math::CopySignOp::create(s.b, s.loc, zero, ratio);
  Value isByZero = s.compare(ComparePredicate::eq, rhs, zero);
  return select(s, isByZero, ratio, select(s, isZero, signedZero, whole));
}

static Value emitFloorDiv(ScalarBuilder &s, Value lhs, Value rhs) {
  if (s.isFloat())
    return emitFloatFloorDiv(s, lhs, rhs);
  SafeDivisor divisor(s, rhs);
  Value zero = s.constant(0);
  if (s.isUnsigned())
    return select(s, divisor.isZero, zero,
                  arith::DivUIOp::create(s.b, s.loc, lhs, divisor.value));
  Value quotient = arith::DivSIOp::create(s.b, s.loc, lhs, divisor.value);
  Value remainder = s.sub(lhs, s.mul(quotient, divisor.value));
  Value below = s.sub(quotient, s.constant(1));
  Value floored =
      select(s, needsAdjustment(s, remainder, divisor.value), below, quotient);
  Value negated = s.sub(zero, lhs);
  return select(s, divisor.isZero, zero,
                select(s, divisor.isMinusOne, negated, floored));
}

/// The remainder of a float division has the divisor's sign, also when zero.
static Value emitFloatMod(ScalarBuilder &s, Value lhs, Value rhs) {
  Value zero = s.constant(0);
  Value remainder = arith::RemFOp::create(s.b, s.loc, lhs, rhs);
  Value isZero = s.compare(ComparePredicate::eq, remainder, zero);
  Value shifted = select(s, signsDiffer(s, remainder, rhs),
                         s.add(remainder, rhs), remainder);
  Value signedZero = math::CopySignOp::create(s.b, s.loc, zero, rhs);
  return select(s, isZero, signedZero, shifted);
}

static Value emitFloorMod(ScalarBuilder &s, Value lhs, Value rhs) {
  if (s.isFloat())
    return emitFloatMod(s, lhs, rhs);
  SafeDivisor divisor(s, rhs);
  Value zero = s.constant(0);
  if (s.isUnsigned())
    return select(s, divisor.isZero, zero,
                  arith::RemUIOp::create(s.b, s.loc, lhs, divisor.value));
  Value remainder = arith::RemSIOp::create(s.b, s.loc, lhs, divisor.value);
  Value shifted = s.add(remainder, divisor.value);
  Value adjusted = select(s, needsAdjustment(s, remainder, divisor.value),
                          shifted, remainder);
  Value isExact =
      arith::OrIOp::create(s.b, s.loc, divisor.isZero, divisor.isMinusOne);
  return select(s, isExact, zero, adjusted);
}

/// What a power with a negative exponent truncates to: 1 for base 1, +-1 for base
/// -1, else 0.
static Value emitReciprocalPower(ScalarBuilder &s, Value base, Value exponent) {
  Value zero = s.constant(0), one = s.constant(1), minusOne = s.constant(-1);
  Value parity = arith::AndIOp::create(s.b, s.loc, exponent, one);
  Value isOdd = s.compare(ComparePredicate::ne, parity, zero);
  Value alternating = select(s, isOdd, minusOne, one);
  Value isOne = s.compare(ComparePredicate::eq, base, one);
  Value isMinusOne = s.compare(ComparePredicate::eq, base, minusOne);
  return select(s, isOne, one, select(s, isMinusOne, alternating, zero));
}

/// Integer power by squaring over the bits of the exponent; wraps.
static Value emitIntegerPower(ScalarBuilder &s, Value base, Value exponent) {
  Value one = s.constant(1), zero = s.constant(0);
  Type type = s.compute;
  auto loop = scf::WhileOp::create(
      s.b, s.loc, TypeRange{type, type, type}, ValueRange{one, base, exponent},
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                           args[2], zero);
        scf::ConditionOp::create(b, loc, more, args);
      },
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value bit = arith::AndIOp::create(b, loc, args[2], one);
        Value isSet =
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, bit, zero);
        Value product = arith::MulIOp::create(b, loc, args[0], args[1]);
        Value power =
            arith::SelectOp::create(b, loc, isSet, product, args[0]);
        Value square = arith::MulIOp::create(b, loc, args[1], args[1]);
        Value rest = arith::ShRUIOp::create(b, loc, args[2], one);
        scf::YieldOp::create(b, loc, ValueRange{power, square, rest});
      });
  if (s.isUnsigned())
    return loop.getResult(0);
  Value isNegative = s.compare(ComparePredicate::lt, exponent, zero);
  return select(s, isNegative, emitReciprocalPower(s, base, exponent),
                loop.getResult(0));
}

static Value emitPow(ScalarBuilder &s, Value lhs, Value rhs) {
  if (s.isFloat())
    return math::PowFOp::create(s.b, s.loc, lhs, rhs);
  return emitIntegerPower(s, lhs, rhs);
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

/// Truncates; out of range saturates, NaN gives zero.
static Value emitFloatToInt(ScalarBuilder &from, ScalarBuilder &to, Value x) {
  OpBuilder &b = from.b;
  Location loc = from.loc;
  unsigned width = to.compute.getIntOrFloatBitWidth();
  bool isUnsigned = to.isUnsigned();
  double above = std::ldexp(1.0, isUnsigned ? width : width - 1);
  double below = isUnsigned ? 0.0 : -above;
  Value converted =
      isUnsigned ? Value(arith::FPToUIOp::create(b, loc, to.compute, x))
                 : Value(arith::FPToSIOp::create(b, loc, to.compute, x));
  Value isAbove =
      from.compare(ComparePredicate::ge, x, from.constant(above));
  Value isBelow =
      from.compare(ComparePredicate::le, x, from.constant(below));
  Value isNaN = from.compare(ComparePredicate::ne, x, x);
  Value low = select(from, isBelow, to.lowest(), converted);
  Value clamped = select(from, isAbove, to.highest(), low);
  return select(from, isNaN, to.constant(0), clamped);
}

static Value emitIntToInt(ScalarBuilder &from, ScalarBuilder &to, Value x) {
  unsigned source = from.compute.getIntOrFloatBitWidth();
  unsigned target = to.compute.getIntOrFloatBitWidth();
  if (source == target)
    return x;
  if (source > target)
    return arith::TruncIOp::create(from.b, from.loc, to.compute, x);
  if (from.isUnsigned())
    return arith::ExtUIOp::create(from.b, from.loc, to.compute, x);
  return arith::ExtSIOp::create(from.b, from.loc, to.compute, x);
}

static Value emitFloatToFloat(ScalarBuilder &from, ScalarBuilder &to, Value x) {
  if (from.compute.isF64())
    return to.fromDouble(x);
  if (to.compute.isF64())
    return arith::ExtFOp::create(from.b, from.loc, to.compute, x);
  return x;
}

static Value emitCast(ScalarBuilder &from, ScalarBuilder &to, Value x) {
  if (to.isBool())
    return from.compare(ComparePredicate::ne, x, from.constant(0));
  if (from.isFloat())
    return to.isFloat() ? emitFloatToFloat(from, to, x)
                        : emitFloatToInt(from, to, x);
  return to.isFloat() ? to.fromInteger(x, from.isUnsigned())
                      : emitIntToInt(from, to, x);
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

/// Emits a `math` op of one operand.
template <typename MathOp>
static auto unary(ScalarBuilder &s, ValueRange args) {
  return [&s, args](auto) -> Value {
    return MathOp::create(s.b, s.loc, args[0]);
  };
}

Value mlir::mindir::emitElementwiseScalar(OpBuilder &builder, Operation *op,
                                          ValueRange args) {
  ScalarBuilder s(builder, op->getLoc(), elementTypeOf(op->getOperand(0)));
  using namespace arith;
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<CeilOp>(unary<math::CeilOp>(s, args))
      .Case<FloorOp>(unary<math::FloorOp>(s, args))
      .Case<RoundOp>(unary<math::RoundEvenOp>(s, args))
      .Case<ExpOp>(unary<math::ExpOp>(s, args))
      .Case<Expm1Op>(unary<math::ExpM1Op>(s, args))
      .Case<LogOp>(unary<math::LogOp>(s, args))
      .Case<Log1pOp>(unary<math::Log1pOp>(s, args))
      .Case<SqrtOp>(unary<math::SqrtOp>(s, args))
      .Case<SinOp>(unary<math::SinOp>(s, args))
      .Case<CosOp>(unary<math::CosOp>(s, args))
      .Case<TanhOp>(unary<math::TanhOp>(s, args))
      .Case<ErfOp>(unary<math::ErfOp>(s, args))
      .Case([&](AbsOp) { return emitAbs(s, args[0]); })
      .Case([&](NegOp) { return emitNeg(s, args[0]); })
      .Case([&](SignOp) { return emitSign(s, args[0]); })
      .Case([&](RsqrtOp) { return emitRsqrt(s, args[0]); })
      .Case([&](SigmoidOp) { return emitSigmoid(s, args[0]); })
      .Case([&](ReluOp) { return s.max(args[0], s.constant(0)); })
      .Case([&](NotOp) {
        return XOrIOp::create(s.b, s.loc, args[0], s.constant(-1));
      })
      .Case([&](AddOp) { return s.add(args[0], args[1]); })
      .Case([&](SubOp) { return s.sub(args[0], args[1]); })
      .Case([&](MulOp) { return s.mul(args[0], args[1]); })
      .Case([&](DivOp) { return DivFOp::create(s.b, s.loc, args[0], args[1]); })
      .Case([&](FloorDivOp) { return emitFloorDiv(s, args[0], args[1]); })
      .Case([&](FloorModOp) { return emitFloorMod(s, args[0], args[1]); })
      .Case([&](PowOp) { return emitPow(s, args[0], args[1]); })
      .Case([&](MaximumOp) { return s.max(args[0], args[1]); })
      .Case([&](MinimumOp) { return s.min(args[0], args[1]); })
      .Case([&](AndOp) { return AndIOp::create(s.b, s.loc, args[0], args[1]); })
      .Case([&](OrOp) { return OrIOp::create(s.b, s.loc, args[0], args[1]); })
      .Case([&](XorOp) { return XOrIOp::create(s.b, s.loc, args[0], args[1]); })
      .Case([&](CompareOp compare) {
        return s.compare(compare.getPredicate(), args[0], args[1]);
      })
      .Case([&](SelectOp) { return select(s, args[0], args[1], args[2]); })
      .Case([&](CastOp cast) {
        ScalarBuilder to(builder, op->getLoc(), elementTypeOf(cast.getResult()));
        return emitCast(s, to, args[0]);
      })
      .Default([](Operation *) { return Value(); });
}
