//===- GraphOps.cpp - ops of a module under construction ------------------===//
//
// Creates ops of any registered dialect. Result types are inferred after the
// operands and attributes were checked, because inference assumes them right.
//
//===----------------------------------------------------------------------===//
#include "Attributes.h"
#include "Errors.h"
#include "GraphBuilder.h"
#include "Types.h"

#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

namespace py = pybind11;
using namespace mlir;
using namespace mlir::mindir::python;

//===----------------------------------------------------------------------===//
// Values and locations
//===----------------------------------------------------------------------===//

GraphValues GraphBuilder::wrap(ValueRange values) {
  GraphValues result;
  for (Value value : values)
    result.push_back({shared_from_this(), value});
  return result;
}

SmallVector<Value> GraphBuilder::unwrap(const GraphValues &values) {
  SmallVector<Value> result;
  for (const GraphValue &value : values) {
    if (value.owner.get() != this)
      raiseValueError("expected values of this builder, found one of another");
    result.push_back(value.value);
  }
  return result;
}

/// (file, line[, column[, function name]]).
static Location getPosition(MLIRContext *context, py::tuple position) {
  auto number = [&](size_t i) -> unsigned {
    return i < position.size() && !position[i].is_none()
               ? py::cast<unsigned>(position[i])
               : 0;
  };
  Location result =
      FileLineColLoc::get(context, py::cast<std::string>(position[0]),
                          number(1), number(2));
  if (position.size() < 4 || position[3].is_none())
    return result;
  auto name = py::cast<std::string>(position[3]);
  return NameLoc::get(StringAttr::get(context, name), result);
}

Location GraphBuilder::getLocation(py::handle location) {
  if (location.is_none())
    location = defaultLocation;
  if (location.is_none())
    return UnknownLoc::get(&context);
  auto items = py::reinterpret_borrow<py::sequence>(location);
  if (!items.empty() && py::isinstance<py::str>(items[0]))
    return getPosition(&context, py::tuple(items));
  // The innermost position first, then where each was called from.
  SmallVector<Location> chain;
  for (py::handle item : items)
    chain.push_back(getPosition(
        &context, py::tuple(py::reinterpret_borrow<py::object>(item))));
  if (chain.empty())
    return UnknownLoc::get(&context);
  Location result = chain.pop_back_val();
  while (!chain.empty())
    result = CallSiteLoc::get(chain.pop_back_val(), result);
  return result;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// The number of results that the op's traits state.
static unsigned getNumResults(OperationName name) {
  if (name.hasTrait<OpTrait::ZeroResults>())
    return 0;
  if (name.hasTrait<OpTrait::NResults<2>::Impl>())
    return 2;
  if (name.hasTrait<OpTrait::NResults<3>::Impl>())
    return 3;
  if (name.hasTrait<OpTrait::NResults<4>::Impl>())
    return 4;
  return 1;
}

/// Whether a verifier's text is about what the op was given, rather than about
/// its placeholder result types.
static bool isAboutInputs(StringRef text) {
  for (StringRef lead : {"operand #", "requires attribute", "attribute '",
                         " operand", "expected 0 operands"})
    if (text.contains(lead) && !text.contains("result"))
      return true;
  return false;
}

/// Replaces the placeholder types of `op`'s results by the inferred ones.
void GraphBuilder::inferResultTypes(Operation *op) {
  DiagnosticCollector diagnostics(&context);
  RegisteredOperationName name = *op->getRegisteredInfo();
  if (op->getNumRegions() == 0 && failed(name.verifyInvariants(op)) &&
      isAboutInputs(diagnostics.get()))
    diagnostics.raise("");
  diagnostics.clear();
  SmallVector<Type> types;
  auto *interface = name.getInterface<InferTypeOpInterface>();
  if (failed(interface->inferReturnTypes(
          &context, op->getLoc(), op->getOperands(),
          op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
          op->getRegions(), types)) ||
      types.size() != op->getNumResults())
    diagnostics.raise("ValueError: the result type of '" +
                      name.getStringRef().str() + "' could not be inferred");
  for (auto [result, type] : llvm::zip_equal(op->getResults(), types))
    result.setType(type);
}

OperationName GraphBuilder::getOpName(const std::string &name) {
  context.getOrLoadDialect(StringRef(name).split('.').first);
  OperationName result(name, &context);
  if (!result.isRegistered())
    raiseValueError("expected the name of an op, found '" + name + "'");
  return result;
}

GraphValues GraphBuilder::createOp(const std::string &name,
                                   const GraphValues &operands,
                                   const OpArguments &arguments) {
  Block *block = getFrame().block;
  OperationState state(getLocation(arguments.location),
                       getOpName(name));
  state.addOperands(unwrap(operands));
  state.attributes = getOpAttributes(state.name, arguments.attributes);
  bool isInferred = arguments.resultTypes.is_none();
  if (!isInferred) {
    for (py::handle type : arguments.resultTypes)
      state.addTypes(getValueType(&context, type));
  } else if (state.name.hasInterface<InferTypeOpInterface>()) {
    state.types.assign(getNumResults(state.name), NoneType::get(&context));
  } else if (!state.name.hasTrait<OpTrait::ZeroResults>()) {
    raiseTypeError("expected result_types for '" + name +
                   "', whose result is not inferred from its operands");
  }
  for (GraphRegion *region : arguments.regions) {
    if (!region->region || region->owner.get() != this)
      raiseValueError("expected regions of this builder that no op holds yet");
    state.addRegion(std::move(region->region));
  }
  Operation *op = Operation::create(state);
  block->push_back(op);
  try {
    if (isInferred && op->getNumResults() != 0)
      inferResultTypes(op);
    return finishOp(op);
  } catch (...) {
    discard(op);
    throw;
  }
}

/// Verifies a new op. What its regions hold was verified when it was made;
/// dominance can be told only once detached regions have their place (`verify`).
GraphValues GraphBuilder::finishOp(Operation *op) {
  DiagnosticCollector diagnostics(&context);
  RegisteredOperationName info = *op->getRegisteredInfo();
  bool isValid = succeeded(info.verifyInvariants(op)) &&
                 succeeded(info.verifyRegionInvariants(op));
  if (!isValid)
    diagnostics.raise("'" + op->getName().getStringRef().str() +
                      "' could not be verified");
  return wrap(op->getResults());
}

/// Takes a refused op out of its block, keeping what its regions hold, since
/// Python may have their values.
void GraphBuilder::discard(Operation *op) {
  for (Region &region : op->getRegions()) {
    auto kept = std::make_unique<Region>();
    kept->takeBody(region);
    discarded.push_back(std::move(kept));
  }
  op->erase();
}

GraphValues GraphBuilder::createCall(const std::string &callee,
                                     const GraphValues &operands,
                                     py::object resultTypes,
                                     py::object location) {
  func::FuncOp function = lookup(callee);
  if (!function)
    raiseValueError("expected the name of a function of this module, found '" +
                    callee + "'");
  bool isOpen = llvm::any_of(
      frames, [&](Frame &frame) { return frame.function == function; });
  if (isOpen && resultTypes.is_none())
    raiseTypeError("expected result_types in a call of '" + callee +
                   "', which is not finished");
  SmallVector<Type> types(function.getFunctionType().getResults());
  if (!resultTypes.is_none()) {
    types.clear();
    for (py::handle type : resultTypes)
      types.push_back(getValueType(&context, type));
  }
  SmallVector<Value> values = unwrap(operands);
  if (!isOpen &&
      TypeRange(ValueRange(values)) != function.getFunctionType().getInputs())
    raiseTypeError("expected operands of the types of '" + callee +
                   "' in a call of it");
  builder.setInsertionPointToEnd(getFrame().block);
  auto call = func::CallOp::create(builder, getLocation(location), callee,
                                   types, values);
  return wrap(call.getResults());
}

GraphValue GraphBuilder::createConstant(py::object value, py::object dtype,
                                        py::object location) {
  builder.setInsertionPointToEnd(getFrame().block);
  Location loc = getLocation(location);
  bool isScalar = py::isinstance<py::tuple>(dtype);
  py::object name = isScalar ? py::object(dtype[py::int_(0)]) : dtype;
  std::string text =
      name.is_none() ? "" : py::cast<std::string>(py::str(name));
  if (text == "index") {
    auto op = arith::ConstantIndexOp::create(builder, loc,
                                             py::cast<int64_t>(value));
    return {shared_from_this(), op};
  }
  DenseElementsAttr elements = getElements(&context, value, text);
  if (isScalar && dtype[py::int_(1)].is_none()) {
    if (elements.getNumElements() != 1)
      raiseTypeError("expected one number for a scalar constant");
    auto scalar = cast<TypedAttr>(*elements.value_begin<Attribute>());
    return {shared_from_this(),
            arith::ConstantOp::create(builder, loc, scalar)};
  }
  return {shared_from_this(), ConstantOp::create(builder, loc, elements)};
}
