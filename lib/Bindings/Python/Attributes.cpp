//===- Attributes.cpp - Python values as attributes -----------------------===//
//
// A value has several candidate attributes; the first that passes the op's
// generated attribute constraint is taken.
//
//===----------------------------------------------------------------------===//
#include "Attributes.h"

#include "Errors.h"
#include "Types.h"

#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"

#include <pybind11/numpy.h>

namespace py = pybind11;
using namespace mlir;
using namespace mlir::mindir::python;

using Candidates = SmallVector<Attribute, 6>;

static std::string describe(py::handle value) {
  return py::cast<std::string>(py::repr(value));
}

//===----------------------------------------------------------------------===//
// Candidates of one value
//===----------------------------------------------------------------------===//

template <typename EnumAttr>
static void addKeyword(MLIRContext *context, StringRef text,
                       Candidates &candidates) {
  using Enum = decltype(std::declval<EnumAttr>().getValue());
  if (std::optional<Enum> value = mlir::mindir::symbolizeEnum<Enum>(text))
    candidates.push_back(EnumAttr::get(context, *value));
}

static void addString(MLIRContext *context, const std::string &text,
                      Candidates &candidates) {
  if (StringRef(text).starts_with("#")) {
    if (Attribute attribute = parseAttribute(text, context))
      candidates.push_back(attribute);
    return;
  }
  StringRef symbol = text;
  if (symbol.consume_front("@"))
    candidates.push_back(FlatSymbolRefAttr::get(context, symbol));
  candidates.push_back(StringAttr::get(context, text));
  addKeyword<mlir::mindir::ComparePredicateAttr>(context, text, candidates);
  addKeyword<mlir::mindir::ImageLayoutAttr>(context, text, candidates);
  addKeyword<mlir::mindir::ReduceKindAttr>(context, text, candidates);
  candidates.push_back(FlatSymbolRefAttr::get(context, symbol));
  if (Type type = lookupElementType(context, text))
    candidates.push_back(TypeAttr::get(type));
}

static void addInteger(MLIRContext *context, int64_t value,
                       Candidates &candidates) {
  Builder builder(context);
  candidates.push_back(builder.getI64IntegerAttr(value));
  candidates.push_back(builder.getIndexAttr(value));
  for (unsigned width : {32, 16, 8})
    candidates.push_back(
        IntegerAttr::get(builder.getIntegerType(width), APInt(64, value).sextOrTrunc(width)));
  candidates.push_back(builder.getF64FloatAttr(static_cast<double>(value)));
}

static void addFloat(MLIRContext *context, double value,
                     Candidates &candidates) {
  Builder builder(context);
  candidates.push_back(builder.getF64FloatAttr(value));
  candidates.push_back(builder.getF32FloatAttr(static_cast<float>(value)));
}

static Attribute getTypeAttribute(MLIRContext *context, py::handle value) {
  if (!py::isinstance<py::tuple>(value) || py::len(value) != 2)
    return {};
  auto pair = py::reinterpret_borrow<py::tuple>(value);
  if (!py::isinstance<py::str>(pair[0]) ||
      py::cast<std::string>(pair[0]) != "type")
    return {};
  if (py::isinstance<py::tuple>(pair[1]))
    return TypeAttr::get(getValueType(context, pair[1]));
  return TypeAttr::get(
      getElementType(context, py::cast<std::string>(py::str(pair[1]))));
}

static void addStrings(MLIRContext *context, py::handle value,
                       Candidates &candidates) {
  SmallVector<std::string> texts;
  for (py::handle item : value)
    texts.push_back(py::cast<std::string>(item));
  SmallVector<Attribute> strings, symbols;
  for (const std::string &text : texts) {
    strings.push_back(StringAttr::get(context, text));
    symbols.push_back(
        FlatSymbolRefAttr::get(context, StringRef(text).ltrim('@')));
  }
  candidates.push_back(ArrayAttr::get(context, strings));
  candidates.push_back(ArrayAttr::get(context, symbols));
}

static void addIntegers(MLIRContext *context, py::handle value,
                        Candidates &candidates) {
  Builder builder(context);
  SmallVector<int64_t> items;
  for (py::handle item : value)
    items.push_back(py::cast<int64_t>(item));
  SmallVector<int32_t> narrow(items.begin(), items.end());
  SmallVector<bool> flags(items.begin(), items.end());
  candidates.push_back(builder.getDenseI64ArrayAttr(items));
  candidates.push_back(builder.getDenseI32ArrayAttr(narrow));
  candidates.push_back(builder.getDenseBoolArrayAttr(flags));
  candidates.push_back(builder.getI64ArrayAttr(items));
}

static void addSequence(MLIRContext *context, py::handle value,
                        Candidates &candidates) {
  if (Attribute type = getTypeAttribute(context, value)) {
    candidates.push_back(type);
    return;
  }
  auto sequence = py::reinterpret_borrow<py::sequence>(value);
  if (!sequence.empty() && py::isinstance<py::str>(sequence[0]))
    return addStrings(context, value, candidates);
  if (!sequence.empty() && py::isinstance<py::float_>(sequence[0])) {
    auto items = py::cast<std::vector<double>>(value);
    candidates.push_back(DenseF64ArrayAttr::get(context, items));
    return;
  }
  addIntegers(context, value, candidates);
}

static Candidates getCandidates(MLIRContext *context, py::handle value) {
  Candidates candidates;
  if (py::isinstance<py::bool_>(value)) {
    if (py::cast<bool>(value))
      candidates.push_back(UnitAttr::get(context));
    candidates.push_back(BoolAttr::get(context, py::cast<bool>(value)));
  } else if (py::isinstance<py::str>(value)) {
    addString(context, py::cast<std::string>(value), candidates);
  } else if (py::isinstance<py::array>(value)) {
    candidates.push_back(getElements(context, value, ""));
  } else if (py::isinstance<py::sequence>(value)) {
    addSequence(context, value, candidates);
  } else if (py::isinstance<py::float_>(value)) {
    addFloat(context, py::cast<double>(value), candidates);
  } else if (PyIndex_Check(value.ptr())) {
    py::int_ integer(py::reinterpret_borrow<py::object>(value));
    addInteger(context, py::cast<int64_t>(integer), candidates);
  }
  return candidates;
}

//===----------------------------------------------------------------------===//
// Choice among the candidates
//===----------------------------------------------------------------------===//

/// Whether the op's generated constraint lets its attribute be `value`.
static bool isAccepted(RegisteredOperationName op, StringAttr name,
                       Attribute value) {
  if (name.getValue() == "operandSegmentSizes" ||
      name.getValue() == "resultSegmentSizes")
    return isa<DenseI32ArrayAttr>(value);
  NamedAttrList single;
  single.append(name, value);
  return succeeded(op.verifyInherentAttrs(single, [&]() {
    return mlir::emitError(UnknownLoc::get(name.getContext()));
  }));
}

static Attribute chooseInherent(RegisteredOperationName op, StringAttr name,
                                py::handle value) {
  MLIRContext *context = name.getContext();
  DiagnosticCollector refusals(context);
  for (Attribute candidate : getCandidates(context, value))
    if (isAccepted(op, name, candidate))
      return candidate;
  bool isAbsentUnit = py::isinstance<py::bool_>(value) &&
                      isAccepted(op, name, UnitAttr::get(context));
  if (isAbsentUnit)
    return {};
  std::string refusal = StringRef(refusals.get()).split('\n').first.str();
  raiseTypeError("expected a value that the attribute '" + name.str() +
                 "' of '" + op.getStringRef().str() + "' can hold, found " +
                 describe(value) + (refusal.empty() ? "" : "\n" + refusal));
}

static Attribute chooseDiscardable(MLIRContext *context, StringRef name,
                                   py::handle value) {
  if (py::isinstance<py::bool_>(value) && !py::cast<bool>(value))
    return {};
  Candidates candidates = getCandidates(context, value);
  if (candidates.empty())
    raiseTypeError("expected a bool, int, float, str or list for the attribute '" +
                   name.str() + "', found " + describe(value));
  return candidates.front();
}

NamedAttrList mlir::mindir::python::getOpAttributes(OperationName name,
                                                    py::dict attributes) {
  MLIRContext *context = name.getContext();
  RegisteredOperationName op = *name.getRegisteredInfo();
  NamedAttrList result;
  for (auto [key, value] : attributes) {
    auto id = StringAttr::get(context, py::cast<std::string>(key));
    if (value.is_none())
      continue;
    bool isInherent = llvm::is_contained(op.getAttributeNames(), id);
    if (!isInherent && !id.getValue().contains('.'))
      raiseTypeError("'" + name.getStringRef().str() + "' has no attribute '" +
                     id.str() + "'");
    Attribute attribute = isInherent
                              ? chooseInherent(op, id, value)
                              : chooseDiscardable(context, id, value);
    if (attribute)
      result.set(id, attribute);
  }
  return result;
}

NamedAttrList
mlir::mindir::python::getDiscardableAttributes(MLIRContext *context,
                                               py::handle attributes) {
  NamedAttrList result;
  if (attributes.is_none())
    return result;
  for (auto [key, value] : py::reinterpret_borrow<py::dict>(attributes)) {
    std::string name = py::cast<std::string>(key);
    if (value.is_none())
      continue;
    if (Attribute attribute = chooseDiscardable(context, name, value))
      result.set(name, attribute);
  }
  return result;
}
