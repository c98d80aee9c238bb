//===- ElementwiseKernels.cpp - elementwise ops by definition -------------===//
//
// A formula for floats and one for integers per op, applied element by element.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Reference/Kernels.h"

#include "mlir/IR/DialectResourceBlobManager.h"

#include <cmath>

using namespace mlir;
using namespace mlir::mindir;
using namespace mlir::mindir::reference;

//===----------------------------------------------------------------------===//
// Application of formulas
//===----------------------------------------------------------------------===//

using UnaryReal = Real (*)(Real);
using UnaryInteger = Integer (*)(Integer);
using BinaryReal = Real (*)(Real, Real);
using BinaryInteger = Integer (*)(Integer, Integer);

template <typename OpTy>
static void addUnary(KernelRegistry &registry, UnaryReal real,
                     UnaryInteger integer = nullptr) {
  registry.add<OpTy>([=](OpTy op, KernelCall &call) -> LogicalResult {
    const Tensor &input = call.getOperand(0);
    Tensor *result = call.allocateResult(input.getShape());
    if (!result)
      return failure();
    for (int64_t i = 0, e = input.getNumElements(); i < e; ++i)
      if (input.isFloat())
        result->setReal(i, real(input.getReal(i)));
      else
        result->setInteger(i, integer(input.getInteger(i)));
    return success();
  });
}

/// Elements of equal index need operands of equal shape, which types with `?`
/// leave to the run.
static LogicalResult checkEqualShapes(KernelCall &call) {
  const Tensor &first = call.getOperand(0);
  for (Value operand : call.getOp()->getOperands())
    if (call.get(operand).getShape() != first.getShape())
      return call.fail("ValueError: '" + call.getOp()->getName().getStringRef() +
                       "' expected operands of equal shape, but got " +
                       first.getTypeText() + " and " +
                       call.get(operand).getTypeText());
  return success();
}

template <typename OpTy>
static void addBinary(KernelRegistry &registry, BinaryReal real,
                      BinaryInteger integer = nullptr) {
  registry.add<OpTy>([=](OpTy op, KernelCall &call) -> LogicalResult {
    const Tensor &lhs = call.getOperand(0), &rhs = call.getOperand(1);
    if (failed(checkEqualShapes(call)))
      return failure();
    Tensor *result = call.allocateResult(lhs.getShape());
    if (!result)
      return failure();
    for (int64_t i = 0, e = lhs.getNumElements(); i < e; ++i)
      if (lhs.isFloat())
        result->setReal(i, real(lhs.getReal(i), rhs.getReal(i)));
      else
        result->setInteger(i, integer(lhs.getInteger(i), rhs.getInteger(i)));
    return success();
  });
}

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

/// In the arithmetic of double where that rounds as the definition says: a result
/// in long double would be rounded twice for f64, while double holds f32 exactly
/// enough for its rounding to be the only one that shows.
static double narrow(Real x) { return static_cast<double>(x); }

static Real getSign(Real x) { return x > 0 ? 1 : x < 0 ? -1 : x == 0 ? 0 : x; }

static Real rectify(Real x) { return std::isnan(x) ? x : x > 0 ? x : 0; }

static Real getMaximum(Real x, Real y) {
  return std::isnan(x) ? x : std::isnan(y) ? y : x > y ? x : y;
}

static Real getMinimum(Real x, Real y) {
  return std::isnan(x) ? x : std::isnan(y) ? y : x < y ? x : y;
}

static Integer divideFloor(Integer x, Integer y) {
  if (y == 0)
    return 0;
  Integer quotient = x / y;
  return quotient - ((x % y != 0) && ((x < 0) != (y < 0)));
}

static Integer takeFloorRemainder(Integer x, Integer y) {
  return y == 0 ? 0 : x - divideFloor(x, y) * y;
}

/// numpy's remainder: exact, with the divisor's sign, also when zero.
static Real takeFloorRemainder(Real x, Real y) {
  Real remainder = std::fmod(x, y);
  if (remainder == 0)
    return std::copysign(Real(0), y);
  return (remainder < 0) != (y < 0) ? remainder + y : remainder;
}

/// numpy's floor_divide: the floor of the exact quotient, not of the rounded one.
static Real divideFloor(Real x, Real y) {
  if (y == 0)
    return x / y;
  Real remainder = std::fmod(x, y);
  Real quotient = (x - remainder) / y;
  if (remainder != 0 && (remainder < 0) != (y < 0))
    quotient -= 1;
  if (quotient == 0)
    return std::copysign(Real(0), x / y);
  return std::isnan(quotient) ? quotient : std::rint(quotient);
}

/// Exact modulo 2^128. The reciprocal of an integer truncates to zero unless its
/// magnitude is one; that of zero is taken as zero, as division by zero is.
static Integer raise(Integer base, Integer exponent) {
  if (exponent < 0)
    return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
  Integer result = 1;
  for (; exponent; exponent >>= 1, base = multiplyWrapping(base, base))
    if (exponent & 1)
      result = multiplyWrapping(result, base);
  return result;
}

static void populateUnary(KernelRegistry &r) {
  addUnary<AbsOp>(r, [](Real x) { return std::fabs(x); },
                  [](Integer x) { return x < 0 ? -x : x; });
  addUnary<NegOp>(r, [](Real x) { return -x; }, [](Integer x) { return -x; });
  addUnary<SignOp>(r, getSign, [](Integer x) { return Integer(x > 0) - (x < 0); });
  addUnary<CeilOp>(r, [](Real x) { return std::ceil(x); });
  addUnary<FloorOp>(r, [](Real x) { return std::floor(x); });
  addUnary<RoundOp>(r, [](Real x) { return std::rint(x); });
  addUnary<ExpOp>(r, [](Real x) { return std::exp(x); });
  addUnary<Expm1Op>(r, [](Real x) { return std::expm1(x); });
  addUnary<LogOp>(r, [](Real x) { return std::log(x); });
  addUnary<Log1pOp>(r, [](Real x) { return std::log1p(x); });
  addUnary<SqrtOp>(r, [](Real x) { return Real(std::sqrt(narrow(x))); });
  addUnary<RsqrtOp>(r, [](Real x) { return 1 / std::sqrt(x); });
  addUnary<SinOp>(r, [](Real x) { return std::sin(x); });
  addUnary<CosOp>(r, [](Real x) { return std::cos(x); });
  addUnary<TanhOp>(r, [](Real x) { return std::tanh(x); });
  addUnary<ErfOp>(r, [](Real x) { return std::erf(x); });
  addUnary<SigmoidOp>(r, [](Real x) { return 1 / (1 + std::exp(-x)); });
  addUnary<ReluOp>(r, rectify, [](Integer x) { return x > 0 ? x : 0; });
  // Wrapping to one bit makes this the logical complement of a bool.
  addUnary<NotOp>(r, nullptr, [](Integer x) { return ~x; });
}

static void populateBinary(KernelRegistry &r) {
  addBinary<AddOp>(r, [](Real x, Real y) { return Real(narrow(x) + narrow(y)); },
                   addWrapping);
  addBinary<SubOp>(r, [](Real x, Real y) { return Real(narrow(x) - narrow(y)); },
                   [](Integer x, Integer y) { return x - y; });
  addBinary<MulOp>(r, [](Real x, Real y) { return Real(narrow(x) * narrow(y)); },
                   multiplyWrapping);
  addBinary<DivOp>(r, [](Real x, Real y) { return Real(narrow(x) / narrow(y)); });
  addBinary<FloorDivOp>(r, divideFloor, divideFloor);
  addBinary<FloorModOp>(r, takeFloorRemainder, takeFloorRemainder);
  addBinary<PowOp>(r, [](Real x, Real y) { return std::pow(x, y); }, raise);
  addBinary<MaximumOp>(r, getMaximum, [](Integer x, Integer y) { return std::max(x, y); });
  addBinary<MinimumOp>(r, getMinimum, [](Integer x, Integer y) { return std::min(x, y); });
  addBinary<AndOp>(r, nullptr, [](Integer x, Integer y) { return x & y; });
  addBinary<OrOp>(r, nullptr, [](Integer x, Integer y) { return x | y; });
  addBinary<XorOp>(r, nullptr, [](Integer x, Integer y) { return x ^ y; });
}

//===----------------------------------------------------------------------===//
// Comparison, selection, conversion
//===----------------------------------------------------------------------===//

template <typename T>
static bool holds(ComparePredicate predicate, T x, T y) {
  switch (predicate) {
  case ComparePredicate::eq:
    return x == y;
  case ComparePredicate::ne:
    return x != y;
  case ComparePredicate::lt:
    return x < y;
  case ComparePredicate::le:
    return x <= y;
  case ComparePredicate::gt:
    return x > y;
  case ComparePredicate::ge:
    return x >= y;
  }
  return false;
}

static LogicalResult runCompare(CompareOp op, KernelCall &call) {
  const Tensor &lhs = call.get(op.getLhs()), &rhs = call.get(op.getRhs());
  if (failed(checkEqualShapes(call)))
    return failure();
  Tensor *result = call.allocateResult(lhs.getShape());
  if (!result)
    return failure();
  for (int64_t i = 0, e = lhs.getNumElements(); i < e; ++i)
    result->setInteger(
        i, lhs.isFloat()
               ? holds(op.getPredicate(), lhs.getReal(i), rhs.getReal(i))
               : holds(op.getPredicate(), lhs.getInteger(i), rhs.getInteger(i)));
  return success();
}

static LogicalResult runSelect(SelectOp op, KernelCall &call) {
  const Tensor &condition = call.get(op.getCondition());
  if (failed(checkEqualShapes(call)))
    return failure();
  Tensor *result = call.allocateResult(condition.getShape());
  if (!result)
    return failure();
  for (int64_t i = 0, e = condition.getNumElements(); i < e; ++i) {
    bool chosen = condition.getInteger(i) != 0;
    result->copyElement(i, call.get(chosen ? op.getOnTrue() : op.getOnFalse()), i);
  }
  return success();
}

/// Truncates and saturates; NaN gives zero.
static Integer convertToInteger(Real value, DType dtype) {
  if (std::isnan(value))
    return 0;
  Integer least = getLeastInteger(dtype), greatest = getGreatestInteger(dtype);
  if (value <= static_cast<Real>(least))
    return least;
  if (value >= static_cast<Real>(greatest))
    return greatest;
  return static_cast<Integer>(std::trunc(value));
}

static void convertElement(const Tensor &input, Tensor &result, int64_t i) {
  bool isBool = result.getDType() == DType::Bool;
  if (result.isFloat())
    result.setReal(i, input.isFloat() ? input.getReal(i)
                                      : static_cast<Real>(input.getInteger(i)));
  else if (input.isFloat())
    result.setInteger(i, isBool ? input.getReal(i) != 0
                                : convertToInteger(input.getReal(i),
                                                   result.getDType()));
  else
    result.setInteger(i, isBool ? input.getInteger(i) != 0 : input.getInteger(i));
}

static LogicalResult runCast(CastOp op, KernelCall &call) {
  const Tensor &input = call.get(op.getInput());
  Tensor *result = call.allocateResult(input.getShape());
  if (!result)
    return failure();
  for (int64_t i = 0, e = input.getNumElements(); i < e; ++i)
    convertElement(input, *result, i);
  return success();
}

//===----------------------------------------------------------------------===//
// Constant
//===----------------------------------------------------------------------===//

std::optional<Tensor> reference::decodeElements(ElementsAttr elements) {
  auto type = dyn_cast<RankedTensorType>(elements.getType());
  std::optional<DType> dtype =
      type ? reference::getDType(type.getElementType()) : std::nullopt;
  if (!dtype || !countElements(type.getShape()))
    return std::nullopt;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    return blob ? Tensor::fromBytes(*dtype, type.getShape(), blob->getData())
                : std::nullopt;
  }
  auto dense = dyn_cast<DenseElementsAttr>(elements);
  if (!dense)
    return std::nullopt;
  Tensor result(*dtype, type.getShape());
  int64_t i = 0;
  if (result.isFloat()) {
    for (APFloat value : dense.getValues<APFloat>())
      result.setReal(i++, value.convertToDouble());
    return result;
  }
  for (APInt value : dense.getValues<APInt>())
    result.setInteger(i++, Integer(value.getZExtValue()));
  return result;
}

static LogicalResult runConstant(ConstantOp op, KernelCall &call) {
  std::optional<Tensor> value = decodeElements(op.getValue());
  if (!value)
    return call.fail("ValueError: 'mindir.constant' expected dense elements of a "
                     "known size and element type");
  call.addResult(std::move(*value));
  return success();
}

void reference::populateElementwiseKernels(KernelRegistry &registry) {
  populateUnary(registry);
  populateBinary(registry);
  registry.add<CompareOp>(runCompare);
  registry.add<SelectOp>(runSelect);
  registry.add<CastOp>(runCast);
  registry.add<ConstantOp>(runConstant);
}
