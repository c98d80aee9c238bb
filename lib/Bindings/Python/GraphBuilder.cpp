//===- GraphBuilder.cpp - functions and regions under construction --------===//
//
// The stack of open functions and regions, and what concerns the whole module;
// GraphOps.cpp creates the ops.
//
//===----------------------------------------------------------------------===//
#include "GraphBuilder.h"

#include "Attributes.h"
#include "Errors.h"
#include "Types.h"

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/InitAllDialects.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

namespace py = pybind11;
using namespace mlir;
using namespace mlir::mindir::python;

/// Every dialect, registered once for the process; contexts load what they meet.
static const DialectRegistry &getRegistry() {
  static const DialectRegistry *registry = [] {
    auto *all = new DialectRegistry();
    mlir::mindir::registerAllDialects(*all);
    return all;
  }();
  return *registry;
}

GraphRegion::~GraphRegion() {
  if (region)
    owner->discarded.push_back(std::move(region));
}

GraphBuilder::GraphBuilder()
    : context(getRegistry(), MLIRContext::Threading::DISABLED),
      builder(&context) {
  context.loadDialect<MindIRDialect, func::FuncDialect>();
  module = ModuleOp::create(builder, builder.getUnknownLoc());
}

GraphBuilder::~GraphBuilder() {
  // Values may be used across regions: cut all uses before any op dies.
  for (Frame &frame : frames)
    if (frame.region)
      discarded.push_back(std::move(frame.region));
  for (auto &region : discarded)
    region->dropAllReferences();
  discarded.clear();
}

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

GraphBuilder::Frame &GraphBuilder::getFrame() {
  if (frames.empty())
    raiseValueError("expected an open function: call begin_function first");
  return frames.back();
}

GraphBuilder::Frame &GraphBuilder::getFunctionFrame() {
  for (Frame &frame : llvm::reverse(frames))
    if (frame.function)
      return frame;
  raiseValueError("expected an open function: call begin_function first");
}

static SmallVector<Type> getTypes(MLIRContext *context, py::handle types) {
  SmallVector<Type> result;
  for (py::handle type : types)
    result.push_back(getValueType(context, type));
  return result;
}

GraphValues GraphBuilder::beginFunction(const std::string &name,
                                        py::object types, py::object attributes,
                                        bool isPrivate, py::object location) {
  if (lookup(name))
    raiseValueError("expected a new function name, found '" + name +
                    "', which the module has already");
  Location loc = getLocation(location);
  auto function = func::FuncOp::create(builder.getUnknownLoc(), name,
                                       builder.getFunctionType({}, {}));
  function->setLoc(loc);
  if (isPrivate)
    function.setPrivate();
  module->push_back(function);
  frames.push_back({function, nullptr, function.addEntryBlock()});
  size_t index = 0;
  GraphValues arguments;
  for (py::handle type : types) {
    py::object dict = attributes.is_none()
                          ? py::object(py::none())
                          : py::object(attributes[py::int_(index)]);
    arguments.push_back(
        addArgument(py::reinterpret_borrow<py::object>(type), dict));
    ++index;
  }
  return arguments;
}

GraphValue GraphBuilder::addArgument(py::object type, py::object attributes) {
  func::FuncOp function = getFunctionFrame().function;
  Type argument = getValueType(&context, type);
  NamedAttrList named = getDiscardableAttributes(&context, attributes);
  if (failed(function.insertArgument(function.getNumArguments(), argument,
                                     named.getDictionary(&context),
                                     function.getLoc())))
    raiseValueError("the argument could not be added");
  return {shared_from_this(), function.getArguments().back()};
}

void GraphBuilder::endFunction(const GraphValues &results,
                               py::object attributes) {
  if (!getFrame().function)
    raiseValueError("expected every region of the function to be ended first");
  Frame &frame = getFrame();
  SmallVector<Value> values = unwrap(results);
  func::FuncOp function = frame.function;
  function.setFunctionType(builder.getFunctionType(
      function.getFunctionType().getInputs(), ValueRange(values).getTypes()));
  builder.setInsertionPointToEnd(frame.block);
  func::ReturnOp::create(builder, getLocation(defaultLocation), values);
  if (!attributes.is_none())
    for (unsigned i = 0; i < values.size(); ++i)
      function.setResultAttrs(
          i, getDiscardableAttributes(&context, attributes[py::int_(i)])
                 .getDictionary(&context));
  frames.pop_back();
  DiagnosticCollector diagnostics(&context);
  if (failed(mlir::verify(function)))
    diagnostics.raise("the function could not be verified");
}

GraphValues GraphBuilder::beginRegion(py::object types) {
  getFrame();
  auto region = std::make_unique<Region>();
  Block *block = &region->emplaceBlock();
  Location location = getLocation(defaultLocation);
  for (Type type : getTypes(&context, types))
    block->addArgument(type, location);
  frames.push_back({nullptr, std::move(region), block});
  return wrap(block->getArguments());
}

std::unique_ptr<GraphRegion>
GraphBuilder::endRegion(const std::string &terminator,
                        const GraphValues &operands) {
  Frame &frame = getFrame();
  if (!frame.region)
    raiseValueError("expected an open region: call begin_region first");
  OperationState state(getLocation(defaultLocation), getOpName(terminator));
  state.addOperands(unwrap(operands));
  if (!state.name.hasTrait<OpTrait::IsTerminator>())
    raiseValueError("expected a terminator such as 'scf.yield', found '" +
                    terminator + "'");
  // Verified with the op that takes the region: it looks at its parent.
  builder.setInsertionPointToEnd(frame.block);
  builder.create(state);
  auto region = std::make_unique<GraphRegion>(shared_from_this(),
                                              std::move(frame.region));
  frames.pop_back();
  return region;
}

void GraphBuilder::abandon() {
  Frame frame = std::move(getFrame());
  frames.pop_back();
  if (frame.region) {
    discarded.push_back(std::move(frame.region));
    return;
  }
  auto body = std::make_unique<Region>();
  body->takeBody(frame.function.getBody());
  discarded.push_back(std::move(body));
  frame.function.erase();
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

func::FuncOp GraphBuilder::lookup(const std::string &name) {
  return module->lookupSymbol<func::FuncOp>(name);
}

static StringAttr makeUnique(ModuleOp target, ModuleOp source, StringAttr name) {
  auto isTaken = [&](StringRef candidate) {
    return target.lookupSymbol(candidate) || source.lookupSymbol(candidate);
  };
  for (unsigned i = 1;; ++i) {
    std::string candidate = (name.getValue() + "_" + Twine(i)).str();
    if (!isTaken(candidate))
      return StringAttr::get(name.getContext(), candidate);
  }
}

py::dict GraphBuilder::insertModule(const std::string &text) {
  DiagnosticCollector diagnostics(&context);
  auto source = parseSourceString<ModuleOp>(text, &context);
  if (!source)
    diagnostics.raise("the module text could not be parsed");
  py::dict names;
  for (auto symbol : llvm::to_vector(source->getOps<SymbolOpInterface>())) {
    StringAttr name = symbol.getNameAttr();
    StringAttr unique = name;
    if (module->lookupSymbol(name)) {
      unique = makeUnique(*module, *source, name);
      if (failed(SymbolTable::replaceAllSymbolUses(symbol.getOperation(),
                                                   unique, *source)))
        raiseValueError("the uses of '" + name.str() + "' cannot be renamed");
      symbol.setName(unique);
    }
    names[py::str(name.str())] = unique.str();
  }
  for (Operation &op : llvm::make_early_inc_range(source->getOps())) {
    op.remove();
    module->push_back(&op);
  }
  return names;
}

void GraphBuilder::verify() {
  if (!frames.empty())
    raiseValueError("expected every function to be ended first");
  DiagnosticCollector diagnostics(&context);
  if (failed(mlir::verify(*module)))
    diagnostics.raise("the module could not be verified");
}

std::string GraphBuilder::getText(bool withLocations) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  OpPrintingFlags flags;
  if (withLocations)
    flags.enableDebugInfo();
  module->print(stream, flags.assumeVerified(frames.empty()));
  return text;
}

std::string GraphBuilder::getBytecode() {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  if (failed(writeBytecodeToFile(*module, stream)))
    raiseTagged("the module could not be written as bytecode");
  return bytes;
}
