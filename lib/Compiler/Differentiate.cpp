//===- Differentiate.cpp - a module split into forward and backward -------===//
//
// Runs reverse mode on a parsed module, then prints each of its two functions
// with what it reaches.
//
//===----------------------------------------------------------------------===//

#include "mindir/Compiler/Differentiate.h"

#include "Lowering.h"

#include "mindir/Compiler/Diagnostics.h"
#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Transforms/AutoDiff/AutoDiff.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::mindir;

/// The text of a module that holds `function` and what it reaches.
static FailureOr<std::string> printAlone(ModuleOp module,
                                         func::FuncOp function) {
  OwningOpRef<ModuleOp> copy = module.clone();
  for (auto other : copy->getOps<func::FuncOp>())
    other.setVisibility(other.getName() == function.getName()
                            ? SymbolTable::Visibility::Public
                            : SymbolTable::Visibility::Private);
  PassManager manager(module.getContext());
  manager.addPass(createSymbolDCEPass());
  if (failed(manager.run(*copy)))
    return failure();
  std::string text;
  llvm::raw_string_ostream stream(text);
  copy->print(stream);
  return text;
}

//===----------------------------------------------------------------------===//
// Residuals that cannot leave a function
//===----------------------------------------------------------------------===//

/// Whether every residual can be an argument and a result of an entry; tapes
/// cannot.
static bool areResidualsTensors(GradientFunctions gradient) {
  TypeRange residuals = gradient.backward.getArgumentTypes().take_front(
      gradient.residuals.size());
  return llvm::all_of(residuals, llvm::IsaPred<RankedTensorType>);
}

/// Renames a function and its uses, so that its name is free.
static LogicalResult renameSaved(func::FuncOp function, ModuleOp module) {
  auto name =
      StringAttr::get(module.getContext(), function.getName() + ".saved");
  if (failed(SymbolTable::replaceAllSymbolUses(function, name, module)))
    return failure();
  function.setName(name);
  return success();
}

static func::FuncOp addFunction(ModuleOp module, const Twine &name,
                                TypeRange inputs, TypeRange results,
                                Location loc) {
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  auto function = func::FuncOp::create(
      builder, loc, name.str(), builder.getFunctionType(inputs, results));
  function.addEntryBlock();
  return function;
}

/// Adds a forward function that is the primal.
static func::FuncOp addPlainForward(ModuleOp module, func::FuncOp primal) {
  auto function =
      addFunction(module, primal.getName() + ".fwd", primal.getArgumentTypes(),
                  primal.getResultTypes(), primal.getLoc());
  function.setAllArgAttrs(primal.getAllArgAttrs());
  function.setAllResultAttrs(primal.getAllResultAttrs());
  auto builder = OpBuilder::atBlockEnd(&function.front());
  auto call = func::CallOp::create(builder, primal.getLoc(), primal,
                                   function.getArguments());
  func::ReturnOp::create(builder, primal.getLoc(), call.getResults());
  return function;
}

/// Adds a backward function that takes the arguments of the primal and runs it
/// again for the residuals.
static func::FuncOp addRecomputingBackward(ModuleOp module, func::FuncOp primal,
                                           GradientFunctions gradient) {
  Location loc = primal.getLoc();
  func::FuncOp forward = gradient.forward, backward = gradient.backward;
  SmallVector<Type> inputs(forward.getArgumentTypes());
  llvm::append_range(inputs, backward.getArgumentTypes().drop_front(
                                 gradient.residuals.size()));
  auto function = addFunction(module, primal.getName() + ".bwd", inputs,
                              backward.getResultTypes(), loc);
  auto builder = OpBuilder::atBlockEnd(&function.front());
  ValueRange arguments = function.getArguments();
  auto run = func::CallOp::create(
      builder, loc, forward, arguments.take_front(forward.getNumArguments()));
  SmallVector<Value> operands;
  for (const ResidualSource &source : gradient.residuals)
    operands.push_back(source.kind == ResidualSource::Kind::Argument
                           ? arguments[source.index]
                           : run.getResult(source.index));
  llvm::append_range(operands, arguments.drop_front(forward.getNumArguments()));
  auto call = func::CallOp::create(builder, loc, backward, operands);
  func::ReturnOp::create(builder, loc, call.getResults());
  return function;
}

/// Replaces the functions by a forward that saves its arguments only, and a
/// backward that computes the residuals again from them.
static LogicalResult recomputeResiduals(ModuleOp module, func::FuncOp primal,
                                        GradientFunctions &gradient) {
  if (failed(renameSaved(gradient.forward, module)) ||
      failed(renameSaved(gradient.backward, module)))
    return failure();
  func::FuncOp backward = addRecomputingBackward(module, primal, gradient);
  gradient.forward = addPlainForward(module, primal);
  gradient.backward = backward;
  gradient.numResiduals = 0;
  gradient.residuals.clear();
  for (unsigned index = 0; index < primal.getNumArguments(); ++index)
    gradient.residuals.push_back({ResidualSource::Kind::Argument, index});
  return success();
}

static SavedValue getSavedValue(const ResidualSource &source) {
  return {source.kind == ResidualSource::Kind::Argument, source.index};
}

llvm::Expected<DerivativeModules>
mlir::mindir::differentiate(StringRef text, StringRef entry,
                            ArrayRef<int64_t> wrt) {
  MLIRContext context(getCompilerRegistry(), MLIRContext::Threading::DISABLED);
  // Rules make ops that the module need not have.
  context.loadDialect<MindIRDialect, arith::ArithDialect, scf::SCFDialect,
                      tensor::TensorDialect>();
  DiagnosticText diagnostics(&context);
  auto module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return diagnostics.takeError("the module could not be parsed");
  auto function = module->lookupSymbol<func::FuncOp>(entry);
  if (!function || function.isExternal())
    return llvm::createStringError(
        "ValueError: expected a function '" + entry +
        "' with a body to differentiate, found none");
  for (int64_t index : wrt)
    if (index < 0 || index >= function.getNumArguments())
      return llvm::createStringError(
          "ValueError: expected argument numbers below " +
          Twine(function.getNumArguments()) + " to differentiate '" + entry +
          "', found " + Twine(index));
  FailureOr<GradientFunctions> gradient =
      buildGradientFunctions(*module, entry, wrt);
  if (failed(gradient))
    return diagnostics.takeError("the function cannot be differentiated");
  if (!areResidualsTensors(*gradient) &&
      failed(recomputeResiduals(*module, function, *gradient)))
    return diagnostics.takeError("the residuals cannot be computed again");
  FailureOr<std::string> forward = printAlone(*module, gradient->forward);
  FailureOr<std::string> backward = printAlone(*module, gradient->backward);
  if (failed(forward) || failed(backward))
    return diagnostics.takeError("the derivative could not be verified");
  DerivativeModules result{std::move(*forward),
                           std::move(*backward),
                           gradient->numResiduals,
                           {},
                           {}};
  llvm::append_range(result.saved,
                     llvm::map_range(gradient->residuals, getSavedValue));
  llvm::append_range(result.cotangents, gradient->cotangentResults);
  return result;
}
