//===- ScalarKernels.cpp - arith and tensor ops by definition -------------===//
//
// Scalar and shape arithmetic around mindir ops. Scalars are tensors of rank 0, so
// that one kernel serves arith on scalars and on tensors.
//
//===----------------------------------------------------------------------===//

#include "mindir/Reference/Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>

using namespace mlir;
using namespace mlir::mindir;
using namespace mlir::mindir::reference;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// The value's bits as an unsigned number.
static Integer toUnsigned(const Tensor &tensor, int64_t i) {
  Integer modulus = Integer(1) << getBitWidth(tensor.getDType());
  return tensor.getInteger(i) & (modulus - 1);
}

/// The value's bits as a two's complement number; i1 holds 0 and -1.
static Integer toSigned(const Tensor &tensor, int64_t i) {
  Integer bits = toUnsigned(tensor, i);
  Integer modulus = Integer(1) << getBitWidth(tensor.getDType());
  return bits >= modulus / 2 ? bits - modulus : bits;
}

using Reader = Integer (*)(const Tensor &, int64_t);

static LogicalResult checkShapes(KernelCall &call) {
  ArrayRef<int64_t> shape = call.getOperand(0).getShape();
  for (Value operand : call.getOp()->getOperands())
    if (call.get(operand).getShape() != shape)
      return call.fail("ValueError: '" + call.getOp()->getName().getStringRef() +
                       "' expected operands of equal shape");
  return success();
}

/// Registers an op of any number of equally shaped operands, given by the value of
/// its result at an index.
template <typename OpTy, typename Compute>
static void addElementwise(KernelRegistry &registry, Compute compute) {
  registry.add<OpTy>([compute](OpTy op, KernelCall &call) -> LogicalResult {
    if (failed(checkShapes(call)))
      return failure();
    Tensor *result = call.allocateResult(call.getOperand(0).getShape());
    if (!result)
      return failure();
    for (int64_t i = 0, e = result->getNumElements(); i < e; ++i)
      if (failed(compute(op, call, *result, i)))
        return failure();
    return success();
  });
}

template <typename OpTy>
static void addInteger(KernelRegistry &registry, Integer (*formula)(Integer, Integer),
                       Reader read = toSigned) {
  addElementwise<OpTy>(registry, [=](OpTy op, KernelCall &call, Tensor &result,
                                     int64_t i) {
    result.setInteger(i, formula(read(call.getOperand(0), i),
                                 read(call.getOperand(1), i)));
    return success();
  });
}

template <typename OpTy>
static void addDivision(KernelRegistry &registry, Integer (*formula)(Integer, Integer),
                        Reader read = toSigned) {
  addElementwise<OpTy>(registry, [=](OpTy op, KernelCall &call, Tensor &result,
                                     int64_t i) -> LogicalResult {
    Integer divisor = read(call.getOperand(1), i);
    if (divisor == 0)
      return call.fail("ZeroDivisionError: '" + op->getName().getStringRef() +
                       "' divides by zero");
    result.setInteger(i, formula(read(call.getOperand(0), i), divisor));
    return success();
  });
}

template <typename OpTy>
static void addReal(KernelRegistry &registry, double (*formula)(double, double)) {
  addElementwise<OpTy>(registry, [=](OpTy op, KernelCall &call, Tensor &result,
                                     int64_t i) {
    result.setReal(i, formula(static_cast<double>(call.getOperand(0).getReal(i)),
                              static_cast<double>(call.getOperand(1).getReal(i))));
    return success();
  });
}

/// Registers an integer conversion: reads the operand in one way, then wraps.
template <typename OpTy>
static void addConversion(KernelRegistry &registry, Reader read) {
  addElementwise<OpTy>(registry, [=](OpTy op, KernelCall &call, Tensor &result,
                                     int64_t i) {
    if (result.isFloat())
      result.setReal(i, static_cast<Real>(read(call.getOperand(0), i)));
    else
      result.setInteger(i, read(call.getOperand(0), i));
    return success();
  });
}

template <typename OpTy> static void addRounding(KernelRegistry &registry) {
  addElementwise<OpTy>(registry, [](OpTy op, KernelCall &call, Tensor &result,
                                    int64_t i) -> LogicalResult {
    Real value = call.getOperand(0).getReal(i);
    if (result.isFloat())
      result.setReal(i, value);
    else if (std::isfinite(value) && std::fabs(value) < 0x1p64L)
      result.setInteger(i, static_cast<Integer>(value));
    else
      return call.fail("ValueError: '" + op->getName().getStringRef() +
                       "' of a value out of the integer's range");
    return success();
  });
}

static Integer divideFloor(Integer x, Integer y) {
  return x / y - ((x % y != 0) && ((x < 0) != (y < 0)));
}

static void populateIntegers(KernelRegistry &r) {
  addInteger<arith::AddIOp>(r, [](Integer x, Integer y) { return x + y; });
  addInteger<arith::SubIOp>(r, [](Integer x, Integer y) { return x - y; });
  addInteger<arith::MulIOp>(r, multiplyWrapping);
  addInteger<arith::AndIOp>(r, [](Integer x, Integer y) { return x & y; });
  addInteger<arith::OrIOp>(r, [](Integer x, Integer y) { return x | y; });
  addInteger<arith::XOrIOp>(r, [](Integer x, Integer y) { return x ^ y; });
  auto maximum = [](Integer x, Integer y) { return std::max(x, y); };
  auto minimum = [](Integer x, Integer y) { return std::min(x, y); };
  addInteger<arith::MaxSIOp>(r, maximum);
  addInteger<arith::MinSIOp>(r, minimum);
  addInteger<arith::MaxUIOp>(r, maximum, toUnsigned);
  addInteger<arith::MinUIOp>(r, minimum, toUnsigned);
  auto quotient = [](Integer x, Integer y) { return x / y; };
  auto remainder = [](Integer x, Integer y) { return x % y; };
  addDivision<arith::DivSIOp>(r, quotient);
  addDivision<arith::DivUIOp>(r, quotient, toUnsigned);
  addDivision<arith::RemSIOp>(r, remainder);
  addDivision<arith::RemUIOp>(r, remainder, toUnsigned);
  addDivision<arith::FloorDivSIOp>(r, divideFloor);
  addDivision<arith::CeilDivSIOp>(
      r, [](Integer x, Integer y) { return -divideFloor(-x, y); });
  addDivision<arith::CeilDivUIOp>(
      r, [](Integer x, Integer y) { return (x + y - 1) / y; }, toUnsigned);
}

static void populateConversions(KernelRegistry &r) {
  addConversion<arith::IndexCastOp>(r, toSigned);
  addConversion<arith::IndexCastUIOp>(r, toUnsigned);
  addConversion<arith::ExtSIOp>(r, toSigned);
  addConversion<arith::ExtUIOp>(r, toUnsigned);
  addConversion<arith::TruncIOp>(r, toSigned);
  addConversion<arith::SIToFPOp>(r, toSigned);
  addConversion<arith::UIToFPOp>(r, toUnsigned);
  addRounding<arith::ExtFOp>(r);
  addRounding<arith::TruncFOp>(r);
  addRounding<arith::FPToSIOp>(r);
}

static void populateReals(KernelRegistry &r) {
  addReal<arith::AddFOp>(r, [](double x, double y) { return x + y; });
  addReal<arith::SubFOp>(r, [](double x, double y) { return x - y; });
  addReal<arith::MulFOp>(r, [](double x, double y) { return x * y; });
  addReal<arith::DivFOp>(r, [](double x, double y) { return x / y; });
  addElementwise<arith::NegFOp>(r, [](arith::NegFOp op, KernelCall &call,
                                      Tensor &result, int64_t i) {
    result.setReal(i, -call.getOperand(0).getReal(i));
    return success();
  });
}

//===----------------------------------------------------------------------===//
// Comparison, selection, constants
//===----------------------------------------------------------------------===//

static bool holds(arith::CmpIPredicate predicate, const Tensor &lhs,
                  const Tensor &rhs, int64_t i) {
  bool isUnsignedOrder = predicate >= arith::CmpIPredicate::ult;
  Reader read = isUnsignedOrder ? toUnsigned : toSigned;
  Integer x = read(lhs, i), y = read(rhs, i);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return x == y;
  case arith::CmpIPredicate::ne:
    return x != y;
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return x < y;
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return x <= y;
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return x > y;
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    return x >= y;
  }
  return false;
}

/// The predicates of floats are bit sets: 1 for equal, 2 for greater, 4 for less,
/// 8 for unordered.
static bool holds(arith::CmpFPredicate predicate, Real x, Real y) {
  unsigned relation = x == y ? 1 : x > y ? 2 : x < y ? 4 : 8;
  return (static_cast<unsigned>(predicate) & relation) != 0;
}

static void populateComparisons(KernelRegistry &r) {
  addElementwise<arith::CmpIOp>(r, [](arith::CmpIOp op, KernelCall &call,
                                      Tensor &result, int64_t i) {
    result.setInteger(i, holds(op.getPredicate(), call.getOperand(0),
                               call.getOperand(1), i));
    return success();
  });
  addElementwise<arith::CmpFOp>(r, [](arith::CmpFOp op, KernelCall &call,
                                      Tensor &result, int64_t i) {
    result.setInteger(i, holds(op.getPredicate(), call.getOperand(0).getReal(i),
                               call.getOperand(1).getReal(i)));
    return success();
  });
}

/// The condition chooses by element, or as a scalar between whole values of any
/// type.
static LogicalResult runSelect(arith::SelectOp op, KernelCall &call) {
  const Tensor &condition = call.get(op.getCondition());
  if (condition.getRank() == 0) {
    bool chosen = condition.getInteger(0) != 0;
    call.addResult(call.getValue(chosen ? op.getTrueValue() : op.getFalseValue()));
    return success();
  }
  if (failed(checkShapes(call)))
    return failure();
  Tensor *result = call.allocateResult(condition.getShape());
  if (!result)
    return failure();
  for (int64_t i = 0, e = condition.getNumElements(); i < e; ++i)
    result->copyElement(i, call.getOperand(condition.getInteger(i) ? 1 : 2), i);
  return success();
}

static LogicalResult runConstant(arith::ConstantOp op, KernelCall &call) {
  if (auto elements = dyn_cast<ElementsAttr>(op.getValue())) {
    if (std::optional<Tensor> value = decodeElements(elements)) {
      call.addResult(std::move(*value));
      return success();
    }
    return call.fail("ValueError: 'arith.constant' expected dense elements of a "
                     "known size and element type");
  }
  if (!reference::getDType(op.getType()))
    return call.fail("NotImplementedError: 'arith.constant' of this type is not "
                     "interpreted");
  Tensor *result = call.allocateResult(ArrayRef<int64_t>());
  if (auto real = dyn_cast<FloatAttr>(op.getValue()))
    result->setReal(0, real.getValueAsDouble());
  else if (auto integer = dyn_cast<IntegerAttr>(op.getValue()))
    result->setInteger(0, integer.getValue().getSExtValue());
  return success();
}

//===----------------------------------------------------------------------===//
// tensor
//===----------------------------------------------------------------------===//

static LogicalResult runDim(tensor::DimOp op, KernelCall &call) {
  const Tensor &source = call.get(op.getSource());
  int64_t dim = call.getScalar(op.getIndex());
  if (dim < 0 || dim >= source.getRank())
    return call.fail("IndexError: 'tensor.dim' expected a dimension in [0, " +
                     Twine(source.getRank()) + "), but got " + Twine(dim));
  call.addResult(Tensor::scalar(DType::Index, source.getSize(dim)));
  return success();
}

/// The new type is checked as every result's is.
static LogicalResult runCast(tensor::CastOp op, KernelCall &call) {
  call.addResult(call.getValue(op.getSource()));
  return success();
}

static LogicalResult checkIndex(KernelCall &call, ArrayRef<int64_t> index,
                                ArrayRef<int64_t> shape) {
  for (auto [i, size] : llvm::zip_equal(index, shape))
    if (i < 0 || i >= size)
      return call.fail("IndexError: '" + call.getOp()->getName().getStringRef() +
                       "' expected an index in [0, " + Twine(size) +
                       "), but got " + Twine(i));
  return success();
}

static LogicalResult runExtract(tensor::ExtractOp op, KernelCall &call) {
  const Tensor &source = call.get(op.getTensor());
  SmallVector<int64_t> index = call.getScalars(op.getIndices());
  if (failed(checkIndex(call, index, source.getShape())))
    return failure();
  Tensor *result = call.allocateResult(ArrayRef<int64_t>());
  result->copyElement(0, source, linearize(index, source.getShape()));
  return success();
}

static LogicalResult runInsert(tensor::InsertOp op, KernelCall &call) {
  Tensor result = call.get(op.getDest());
  SmallVector<int64_t> index = call.getScalars(op.getIndices());
  if (failed(checkIndex(call, index, result.getShape())))
    return failure();
  result.copyElement(linearize(index, result.getShape()), call.get(op.getScalar()), 0);
  call.addResult(std::move(result));
  return success();
}

static LogicalResult runFromElements(tensor::FromElementsOp op, KernelCall &call) {
  Tensor *result = call.allocateResult(ValueRange());
  if (!result)
    return failure();
  for (auto [i, element] : llvm::enumerate(op.getElements()))
    result->copyElement(i, call.get(element), 0);
  return success();
}

/// Zeros stand for unspecified contents.
static LogicalResult runEmpty(tensor::EmptyOp op, KernelCall &call) {
  return success(call.allocateResult(op.getDynamicSizes()) != nullptr);
}

static LogicalResult runSplat(tensor::SplatOp op, KernelCall &call) {
  Tensor *result = call.allocateResult(op.getDynamicSizes());
  if (!result)
    return failure();
  for (int64_t i = 0, e = result->getNumElements(); i < e; ++i)
    result->copyElement(i, call.get(op.getInput()), 0);
  return success();
}

void reference::populateScalarKernels(KernelRegistry &registry) {
  populateIntegers(registry);
  populateConversions(registry);
  populateReals(registry);
  populateComparisons(registry);
  registry.add<arith::SelectOp>(runSelect);
  registry.add<arith::ConstantOp>(runConstant);
  registry.add<tensor::DimOp>(runDim);
  registry.add<tensor::CastOp>(runCast);
  registry.add<tensor::ExtractOp>(runExtract);
  registry.add<tensor::InsertOp>(runInsert);
  registry.add<tensor::FromElementsOp>(runFromElements);
  registry.add<tensor::EmptyOp>(runEmpty);
  registry.add<tensor::SplatOp>(runSplat);
}
