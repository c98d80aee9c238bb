//===- Lowering.cpp - from a mindir module to LLVM IR ---------------------===//
//
// Runs the phases one by one: between them a compilation can be interrupted and
// its IR is written out.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mindir/Compiler/Diagnostics.h"
#include "mindir/InitAllDialects.h"
#include "mindir/Pipelines/Phases.h"
#include "mindir/Pipelines/Pipelines.h"
#include "mindir-c/Runtime.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::mindir;

const DialectRegistry &mlir::mindir::getCompilerRegistry() {
  static const DialectRegistry *registry = [] {
    auto *all = new DialectRegistry();
    mlir::mindir::registerAllDialects(*all);
    registerBuiltinDialectTranslation(*all);
    registerLLVMDialectTranslation(*all);
    return all;
  }();
  return *registry;
}

llvm::Error
mlir::mindir::saveGraph(const CompileOptions &options, unsigned index,
                        StringRef name,
                        llvm::function_ref<void(llvm::raw_ostream &)> print) {
  if (options.saveGraphsPath.empty())
    return llvm::Error::success();
  SmallString<128> path(options.saveGraphsPath);
  if (std::error_code code = llvm::sys::fs::create_directories(path))
    return llvm::createFileError(path, code);
  llvm::sys::path::append(path, (index < 10 ? "0" : "") + Twine(index) + "_" +
                                    name);
  std::error_code code;
  llvm::raw_fd_ostream stream(path, code);
  if (code)
    return llvm::createFileError(path, code);
  print(stream);
  stream.close();
  code = stream.error();
  stream.clear_error();
  return code ? llvm::createFileError(path, code) : llvm::Error::success();
}

namespace {
/// The state of one lowering.
class Lowering {
public:
  Lowering(const ModuleSource &source, const CompileOptions &options)
      : source(source), options(options),
        context(getCompilerRegistry(), MLIRContext::Threading::DISABLED),
        diagnostics(&context) {}

  llvm::Expected<LoweredModule> run();

private:
  llvm::Error parse();
  void hideOthers();
  llvm::Error renameLibraryNames();
  llvm::Error rename(func::FuncOp function, StringRef name);
  llvm::Error runPhase(const Phase &phase);
  llvm::Error checkInterrupt();
  llvm::Error save(StringRef phase);
  llvm::Expected<LoweredModule> translate();

  const ModuleSource &source;
  const CompileOptions &options;
  MLIRContext context;
  DiagnosticText diagnostics;
  OwningOpRef<ModuleOp> module;
  std::string entry = options.entry;
  unsigned numSaved = 0;
};
} // namespace

llvm::Error Lowering::checkInterrupt() {
  if (options.isInterrupted && options.isInterrupted())
    return llvm::createStringError(std::errc::interrupted,
                                   "compilation interrupted");
  return llvm::Error::success();
}

llvm::Error Lowering::save(StringRef phase) {
  return saveGraph(options, numSaved++, (phase + ".mlir").str(),
                   [&](llvm::raw_ostream &os) {
                     module->print(os, OpPrintingFlags().enableDebugInfo());
                   });
}

llvm::Error Lowering::parse() {
  ParserConfig config(&context);
  StringRef text = source.located.empty() ? source.text : source.located;
  module = parseSourceString<ModuleOp>(text, config);
  if (!module)
    return diagnostics.takeError("the module could not be parsed");
  auto function = module->lookupSymbol<func::FuncOp>(entry);
  if (!function || function.isExternal())
    return llvm::createStringError("ValueError: expected a function '" + entry +
                                   "' with a body as the entry, found none");
  return llvm::Error::success();
}

llvm::Error Lowering::rename(func::FuncOp function, StringRef name) {
  if (failed(SymbolTable::replaceAllSymbolUses(
          function, StringAttr::get(&context, name), *module)))
    return llvm::createStringError("the uses of the function '" +
                                   function.getName() + "' cannot be renamed");
  if (function.getName() == entry)
    entry = name.str();
  function.setName(name);
  return llvm::Error::success();
}

/// Only the entry is called from outside: others are compiled where it needs them.
void Lowering::hideOthers() {
  for (auto function : module->getOps<func::FuncOp>())
    if (function.getName() != entry)
      function.setPrivate();
}

/// A function of the user's named `exp` or `malloc` would be taken for the
/// library's by the conversions and by LLVM.
llvm::Error Lowering::renameLibraryNames() {
  llvm::TargetLibraryInfoImpl libraries{llvm::Triple()};
  for (auto function : llvm::to_vector(module->getOps<func::FuncOp>())) {
    StringRef name = function.getName();
    llvm::LibFunc known;
    bool isReserved = libraries.getLibFunc(name, known) ||
                      name.starts_with("mindrt_") ||
                      name.starts_with("_mlir_") || name == kPackedEntryName;
    if (function.isExternal() || !isReserved)
      continue;
    std::string fresh = "user." + name.str();
    while (module->lookupSymbol(fresh))
      fresh += ".1";
    if (llvm::Error error = rename(function, fresh))
      return error;
  }
  return llvm::Error::success();
}

/// What the phases use: the libraries asked for, else those that the runtime has.
static PhaseOptions getPhaseOptions(const CompileOptions &options) {
  PhaseOptions phases;
  if (options.libraries)
    phases.libraries.assign(options.libraries->begin(), options.libraries->end());
  else if (mindrt_library_has("onednn.matmul", MINDRT_FLOAT32))
    phases.libraries.push_back("onednn");
  return phases;
}

llvm::Error Lowering::runPhase(const Phase &phase) {
  PassManager manager(&context);
  phase.build(manager, getPhaseOptions(options));
  if (failed(manager.run(*module)))
    return diagnostics.takeError("the phase '" + phase.name + "' failed");
  if (llvm::Error error = save(phase.name))
    return error;
  return checkInterrupt();
}

llvm::Expected<LoweredModule> Lowering::translate() {
  FailureOr<EntrySignature> recorded = EntrySignature::get(*module, entry);
  if (failed(recorded))
    return diagnostics.takeError("the entry has no signature");
  llvm::Expected<CallSignature> signature = CallSignature::get(*recorded);
  if (!signature)
    return signature.takeError();
  LoweredModule lowered;
  lowered.context = std::make_unique<llvm::LLVMContext>();
  lowered.module = translateModuleToLLVMIR(*module, *lowered.context);
  if (!lowered.module)
    return diagnostics.takeError("the module could not be translated to LLVM IR");
  lowered.signature = std::move(*signature);
  lowered.entry = entry;
  if (llvm::Error error = saveGraph(
          options, numSaved, "llvm.ll",
          [&](llvm::raw_ostream &os) { lowered.module->print(os, nullptr); }))
    return error;
  return lowered;
}

llvm::Expected<LoweredModule> Lowering::run() {
  if (llvm::Error error = parse())
    return error;
  hideOthers();
  if (llvm::Error error = renameLibraryNames())
    return error;
  if (llvm::Error error = save("parse"))
    return error;
  for (const Phase &phase : getCPUPhases())
    if (llvm::Error error = runPhase(phase))
      return error;
  return translate();
}

llvm::Expected<LoweredModule>
mlir::mindir::lowerModule(const ModuleSource &source,
                          const CompileOptions &options) {
  return Lowering(source, options).run();
}
