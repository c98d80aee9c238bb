//===- Differentiate.cpp - a module split into forward and backward -------===//
//
// Runs reverse mode on a parsed module, then prints each of its two functions
// with what it reaches.
//
//===----------------------------------------------------------------------===//

#include "mindir/Compiler/Differentiate.h"

#include "Lowering.h"

#include "mindir/Compiler/Diagnostics.h"
#include "mindir/Transforms/AutoDiff/AutoDiff.h"

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

static SavedValue getSavedValue(const ResidualSource &source) {
  return {source.kind == ResidualSource::Kind::Argument, source.index};
}

llvm::Expected<DerivativeModules>
mlir::mindir::differentiate(StringRef text, StringRef entry,
                            ArrayRef<int64_t> wrt) {
  MLIRContext context(getCompilerRegistry(), MLIRContext::Threading::DISABLED);
  DiagnosticText diagnostics(&context);
  auto module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return diagnostics.takeError("the module could not be parsed");
  auto function = module->lookupSymbol<func::FuncOp>(entry);
  if (!function || function.isExternal())
    return llvm::createStringError("ValueError: expected a function '" + entry +
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
  FailureOr<std::string> forward = printAlone(*module, gradient->forward);
  FailureOr<std::string> backward = printAlone(*module, gradient->backward);
  if (failed(forward) || failed(backward))
    return diagnostics.takeError("the derivative could not be verified");
  DerivativeModules result{std::move(*forward), std::move(*backward),
                           gradient->numResiduals, {}, {}};
  llvm::append_range(result.saved,
                     llvm::map_range(gradient->residuals, getSavedValue));
  llvm::append_range(result.cotangents, gradient->cotangentResults);
  return result;
}
