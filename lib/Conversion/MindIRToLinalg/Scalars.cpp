//===- Scalars.cpp - arithmetic of elements -------------------------------===//
//
// Arithmetic on scalars by mindir element type: signedness, NaN, half floats.
//
//===----------------------------------------------------------------------===//

#include "LoweringUtils.h"

using namespace mlir;
using namespace mlir::mindir;

Type mlir::mindir::getSignlessType(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer || integer.isSignless())
    return element;
  return IntegerType::get(element.getContext(), integer.getWidth());
}

Type mlir::mindir::getComputeType(Type element) {
  if (element.isF16() || element.isBF16())
    return Float32Type::get(element.getContext());
  return getSignlessType(element);
}

ScalarBuilder::ScalarBuilder(OpBuilder &builder, Location loc, Type element)
    : b(builder), loc(loc), element(element), compute(getComputeType(element)) {}

bool ScalarBuilder::isUnsigned() const {
  return element.isUnsignedInteger() || isBool();
}

static Value constantOf(ScalarBuilder &s, TypedAttr value) {
  return arith::ConstantOp::create(s.b, s.loc, value);
}

Value ScalarBuilder::constant(double value) {
  if (isFloat())
    return constantOf(*this, b.getFloatAttr(compute, value));
  return constantOf(*this, b.getIntegerAttr(compute, static_cast<int64_t>(value)));
}

/// An extreme of the element type.
static Value extreme(ScalarBuilder &s, bool greatest) {
  if (auto type = dyn_cast<FloatType>(s.compute)) {
    APFloat infinity = APFloat::getInf(type.getFloatSemantics(), !greatest);
    return constantOf(s, s.b.getFloatAttr(type, infinity));
  }
  unsigned width = s.compute.getIntOrFloatBitWidth();
  APInt value = s.isUnsigned() ? (greatest ? APInt::getMaxValue(width)
                                           : APInt::getMinValue(width))
                               : (greatest ? APInt::getSignedMaxValue(width)
                                           : APInt::getSignedMinValue(width));
  return constantOf(s, s.b.getIntegerAttr(s.compute, value));
}

Value ScalarBuilder::lowest() { return extreme(*this, false); }
Value ScalarBuilder::highest() { return extreme(*this, true); }

Value ScalarBuilder::add(Value lhs, Value rhs) {
  if (isFloat())
    return arith::AddFOp::create(b, loc, lhs, rhs);
  return arith::AddIOp::create(b, loc, lhs, rhs);
}

Value ScalarBuilder::sub(Value lhs, Value rhs) {
  if (isFloat())
    return arith::SubFOp::create(b, loc, lhs, rhs);
  return arith::SubIOp::create(b, loc, lhs, rhs);
}

Value ScalarBuilder::mul(Value lhs, Value rhs) {
  if (isFloat())
    return arith::MulFOp::create(b, loc, lhs, rhs);
  return arith::MulIOp::create(b, loc, lhs, rhs);
}

Value ScalarBuilder::max(Value lhs, Value rhs) {
  if (isFloat())
    return arith::MaximumFOp::create(b, loc, lhs, rhs);
  if (isUnsigned())
    return arith::MaxUIOp::create(b, loc, lhs, rhs);
  return arith::MaxSIOp::create(b, loc, lhs, rhs);
}

Value ScalarBuilder::min(Value lhs, Value rhs) {
  if (isFloat())
    return arith::MinimumFOp::create(b, loc, lhs, rhs);
  if (isUnsigned())
    return arith::MinUIOp::create(b, loc, lhs, rhs);
  return arith::MinSIOp::create(b, loc, lhs, rhs);
}

static arith::CmpFPredicate floatPredicate(ComparePredicate predicate) {
  switch (predicate) {
  case ComparePredicate::eq:
    return arith::CmpFPredicate::OEQ;
  case ComparePredicate::ne:
    return arith::CmpFPredicate::UNE;
  case ComparePredicate::lt:
    return arith::CmpFPredicate::OLT;
  case ComparePredicate::le:
    return arith::CmpFPredicate::OLE;
  case ComparePredicate::gt:
    return arith::CmpFPredicate::OGT;
  case ComparePredicate::ge:
    return arith::CmpFPredicate::OGE;
  }
  llvm_unreachable("unknown predicate");
}

static arith::CmpIPredicate intPredicate(ComparePredicate predicate,
                                         bool isUnsigned) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case ComparePredicate::eq:
    return P::eq;
  case ComparePredicate::ne:
    return P::ne;
  case ComparePredicate::lt:
    return isUnsigned ? P::ult : P::slt;
  case ComparePredicate::le:
    return isUnsigned ? P::ule : P::sle;
  case ComparePredicate::gt:
    return isUnsigned ? P::ugt : P::sgt;
  case ComparePredicate::ge:
    return isUnsigned ? P::uge : P::sge;
  }
  llvm_unreachable("unknown predicate");
}

Value ScalarBuilder::compare(ComparePredicate predicate, Value lhs, Value rhs) {
  if (isFloat())
    return arith::CmpFOp::create(b, loc, floatPredicate(predicate), lhs, rhs);
  return arith::CmpIOp::create(b, loc, intPredicate(predicate, isUnsigned()),
                               lhs, rhs);
}

Value ScalarBuilder::beats(Value lhs, Value rhs, bool maximum) {
  Value further =
      compare(maximum ? ComparePredicate::gt : ComparePredicate::lt, lhs, rhs);
  if (!isFloat())
    return further;
  Value lhsIsNaN = compare(ComparePredicate::ne, lhs, lhs);
  Value rhsIsNumber = compare(ComparePredicate::eq, rhs, rhs);
  Value firstNaN = arith::AndIOp::create(b, loc, lhsIsNaN, rhsIsNumber);
  return arith::OrIOp::create(b, loc, further, firstNaN);
}

//===----------------------------------------------------------------------===//
// Rounding once
//===----------------------------------------------------------------------===//
//
// f32 keeps more digits than bf16, but a value rounded to f32 and then to bf16 may
// become another one. What f32 cannot hold is first rounded to odd at fewer digits:
// the digits that go are kept as one sticky bit.

/// `bits` with the lowest `count` of them replaced by a bit at `count`, set if one of
/// them was.
static Value keepSticky(OpBuilder &b, Location loc, Value bits, unsigned count) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc,
                                     b.getIntegerAttr(bits.getType(), value));
  };
  int64_t unit = int64_t(1) << count;
  Value low = arith::AndIOp::create(b, loc, bits, constant(unit - 1));
  Value isInexact = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, low,
                                          constant(0));
  Value odd = arith::OrIOp::create(b, loc, bits, constant(unit));
  Value kept = arith::SelectOp::create(b, loc, isInexact, odd, bits);
  return arith::AndIOp::create(b, loc, kept, constant(-unit));
}

Value ScalarBuilder::fromDouble(Value wide) {
  if (!element.isBF16()) // f16 is rounded from f64 itself.
    return element.isF64() ? wide
                           : arith::TruncFOp::create(
                                 b, loc, getSignlessType(element), wide);
  // 12 of 53 digits stay: enough for bf16, and f32 has them of its least values too.
  Value bits = arith::BitcastOp::create(b, loc, b.getI64Type(), wide);
  Value odd = arith::BitcastOp::create(b, loc, wide.getType(),
                                       keepSticky(b, loc, bits, 41));
  return arith::TruncFOp::create(b, loc, compute, odd);
}

Value ScalarBuilder::fromInteger(Value integer, bool isUnsigned) {
  unsigned width = integer.getType().getIntOrFloatBitWidth();
  auto convert = [&](Type type) -> Value {
    if (isUnsigned)
      return arith::UIToFPOp::create(b, loc, type, integer);
    return arith::SIToFPOp::create(b, loc, type, integer);
  };
  if (!element.isBF16() || width < 32)
    return convert(compute);
  if (width == 64) { // Beyond 2^53 an f64 does not hold it.
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
    };
    constexpr int64_t limit = int64_t(1) << 53;
    Value shifted = isUnsigned ? integer
                               : arith::AddIOp::create(b, loc, integer,
                                                       constant(limit));
    Value isExact = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, shifted,
                                          constant(isUnsigned ? limit : 2 * limit));
    integer = arith::SelectOp::create(b, loc, isExact, integer,
                                      keepSticky(b, loc, integer, 12));
  }
  return fromDouble(convert(b.getF64Type()));
}

Value ScalarBuilder::load(Value stored) {
  if (stored.getType() == compute)
    return stored;
  return arith::ExtFOp::create(b, loc, compute, stored);
}

Value ScalarBuilder::store(Value computed) {
  Type storage = getSignlessType(element);
  if (computed.getType() == storage)
    return computed;
  return arith::TruncFOp::create(b, loc, storage, computed);
}
