//===- ElementwiseFolds.cpp - folding of elementwise ops ------------------===//
//
// Folds elementwise ops on constants of few elements, and identities that hold
// for every value, NaN and signed zero included.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mlir::mindir;

/// Above this, a folded constant costs more memory than computing it costs time.
static constexpr int64_t kMaxFoldedElements = 256;

//===----------------------------------------------------------------------===//
// Scalar evaluation
//===----------------------------------------------------------------------===//

/// Evaluates an op of float operands; f64 arithmetic, rounded by the caller.
static std::optional<double> evaluateFloat(Operation *op, ArrayRef<double> x) {
  using Result = std::optional<double>;
  return TypeSwitch<Operation *, Result>(op)
      .Case<AbsOp>([&](auto) { return std::fabs(x[0]); })
      .Case<NegOp>([&](auto) { return -x[0]; })
      .Case<CeilOp>([&](auto) { return std::ceil(x[0]); })
      .Case<FloorOp>([&](auto) { return std::floor(x[0]); })
      .Case<RoundOp>([&](auto) { return std::nearbyint(x[0]); })
      .Case<ExpOp>([&](auto) { return std::exp(x[0]); })
      .Case<LogOp>([&](auto) { return std::log(x[0]); })
      .Case<SqrtOp>([&](auto) { return std::sqrt(x[0]); })
      .Case<RsqrtOp>([&](auto) { return 1 / std::sqrt(x[0]); })
      .Case<TanhOp>([&](auto) { return std::tanh(x[0]); })
      .Case<AddOp>([&](auto) { return x[0] + x[1]; })
      .Case<SubOp>([&](auto) { return x[0] - x[1]; })
      .Case<MulOp>([&](auto) { return x[0] * x[1]; })
      .Case<DivOp>([&](auto) { return x[0] / x[1]; })
      .Default([](Operation *) { return std::nullopt; });
}

/// Evaluates an op of integer operands, all of one width.
static std::optional<APInt> evaluateInteger(Operation *op, ArrayRef<APInt> x) {
  using Result = std::optional<APInt>;
  return TypeSwitch<Operation *, Result>(op)
      .Case<NegOp>([&](auto) { return -x[0]; })
      .Case<NotOp>([&](auto) { return ~x[0]; })
      .Case<AddOp>([&](auto) { return x[0] + x[1]; })
      .Case<SubOp>([&](auto) { return x[0] - x[1]; })
      .Case<MulOp>([&](auto) { return x[0] * x[1]; })
      .Case<AndOp>([&](auto) { return x[0] & x[1]; })
      .Case<OrOp>([&](auto) { return x[0] | x[1]; })
      .Case<XorOp>([&](auto) { return x[0] ^ x[1]; })
      .Default([](Operation *) { return std::nullopt; });
}

static APFloat toFloat(double value, const llvm::fltSemantics &semantics) {
  APFloat result(value);
  bool losesInfo;
  result.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  return result;
}

//===----------------------------------------------------------------------===//
// Constant folding
//===----------------------------------------------------------------------===//

/// Applies `evaluate` at each index (at one, of splats); null if it declines.
template <typename Element, typename Evaluate>
static Attribute mapElements(ArrayRef<DenseElementsAttr> operands,
                             RankedTensorType type, Evaluate evaluate) {
  bool isSplat =
      llvm::all_of(operands, [](auto attr) { return attr.isSplat(); });
  int64_t count = isSplat ? 1 : type.getNumElements();
  SmallVector<Element> results;
  for (int64_t i = 0; i < count; ++i) {
    SmallVector<Element> elements;
    for (DenseElementsAttr attr : operands)
      elements.push_back(attr.isSplat()
                             ? attr.getSplatValue<Element>()
                             : attr.template getValues<Element>()[i]);
    std::optional<Element> result = evaluate(elements);
    if (!result)
      return {};
    results.push_back(*result);
  }
  return DenseElementsAttr::get(type, results);
}

static Attribute foldFloats(Operation *op, ArrayRef<DenseElementsAttr> operands,
                            RankedTensorType type, FloatType element) {
  return mapElements<APFloat>(
      operands, type, [&](ArrayRef<APFloat> values) -> std::optional<APFloat> {
        SmallVector<double> doubles;
        for (const APFloat &value : values)
          doubles.push_back(value.convertToDouble());
        std::optional<double> result = evaluateFloat(op, doubles);
        if (!result)
          return std::nullopt;
        return toFloat(*result, element.getFloatSemantics());
      });
}

static Attribute foldConstants(Operation *op, ArrayRef<Attribute> attrs) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  // Ops that change the element type are left to the code generator.
  if (!op->hasTrait<OpTrait::SameOperandsAndResultType>() ||
      !type.hasStaticShape() || type.getNumElements() > kMaxFoldedElements)
    return {};
  SmallVector<DenseElementsAttr> operands;
  for (Attribute attr : attrs) {
    auto dense = dyn_cast_or_null<DenseElementsAttr>(attr);
    if (!dense)
      return {};
    operands.push_back(dense);
  }
  if (type.getNumElements() == 0)
    return operands.front();
  if (auto element = dyn_cast<FloatType>(type.getElementType()))
    return foldFloats(op, operands, type, element);
  return mapElements<APInt>(operands, type, [&](ArrayRef<APInt> values) {
    return evaluateInteger(op, values);
  });
}

//===----------------------------------------------------------------------===//
// Identities
//===----------------------------------------------------------------------===//

/// Whether `attr` is a splat of `value`; zeros are told apart by sign.
static bool isSplatOf(Attribute attr, double value) {
  auto dense = dyn_cast_or_null<DenseElementsAttr>(attr);
  if (!dense || !dense.isSplat())
    return false;
  if (isa<FloatType>(dense.getElementType()))
    return dense.getSplatValue<APFloat>().bitwiseIsEqual(toFloat(
        value, cast<FloatType>(dense.getElementType()).getFloatSemantics()));
  return dense.getSplatValue<APInt>() == static_cast<uint64_t>(value);
}

/// The operand that the result always equals, or null. Adding zero is no
/// identity of floats, since -0 + 0 is 0; adding -0 is.
static Value findIdentity(Operation *op, ArrayRef<Attribute> attrs) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(op->getResult(0)));
  return TypeSwitch<Operation *, Value>(op)
      .Case<AddOp>([&](AddOp add) {
        return isSplatOf(attrs[1], isFloat ? -0.0 : 0.0) ? add.getLhs()
                                                         : Value();
      })
      .Case<SubOp>([&](SubOp sub) {
        return isSplatOf(attrs[1], 0.0) ? sub.getLhs() : Value();
      })
      .Case<MulOp, DivOp>([&](auto mul) {
        return isSplatOf(attrs[1], 1.0) ? mul.getLhs() : Value();
      })
      .Case<CastOp>([&](CastOp cast) {
        return cast.getInput().getType() == cast.getType() ? cast.getInput()
                                                           : Value();
      })
      .Case<SelectOp>([&](SelectOp select) {
        return select.getOnTrue() == select.getOnFalse() ? select.getOnTrue()
                                                         : Value();
      })
      .Default([](Operation *) { return Value(); });
}

OpFoldResult mindir::foldElementwise(Operation *op, ArrayRef<Attribute> attrs) {
  Value identity = findIdentity(op, attrs);
  if (identity && identity.getType() == op->getResult(0).getType())
    return identity;
  return foldConstants(op, attrs);
}
