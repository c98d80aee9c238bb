//===- RunMain.cpp - the driver of ms-run ---------------------------------===//
//
// Command line, the loop over the functions to run, and what is done with results.
//
//===----------------------------------------------------------------------===//

#include "mindir/Tools/RunMain.h"

#include "mindir/Reference/Npy.h"
#include "mindir/Tools/RunInputs.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::mindir;
using namespace mlir::mindir::reference;

namespace {
/// ms-run's options; made when it runs, so that a library user has none of them.
struct CommandLine {
  llvm::cl::OptionCategory category{"ms-run options"};
  llvm::cl::opt<std::string> file{llvm::cl::Positional, llvm::cl::init("-"),
                                  llvm::cl::desc("<input file>"),
                                  llvm::cl::cat(category)};
  llvm::cl::opt<bool> reference{
      "reference", llvm::cl::desc("Run by the reference interpreter"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> entry{"entry", llvm::cl::init("main"),
                                   llvm::cl::desc("The function to run"),
                                   llvm::cl::cat(category)};
  llvm::cl::opt<bool> everyFunction{
      "every-function", llvm::cl::desc("Run each public function in turn"),
      llvm::cl::cat(category)};
  llvm::cl::list<std::string> inputs{
      "input", llvm::cl::desc("An argument: a .npy file, or 'dense<..> : tensor<..>'"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> inputDirectory{
      "input-directory", llvm::cl::desc("Folder of <function>.<argument>.npy"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> outputDirectory{
      "output-directory",
      llvm::cl::desc("Folder to write <function>.<result>.npy to; else results are "
                     "printed"),
      llvm::cl::cat(category)};
  llvm::cl::opt<uint64_t> seed{"seed", llvm::cl::init(0),
                               llvm::cl::desc("Seed of random inputs"),
                               llvm::cl::cat(category)};
  llvm::cl::opt<int64_t> dynamicSize{
      "dynamic-size", llvm::cl::init(3),
      llvm::cl::desc("Size of random inputs where the type has '?'"),
      llvm::cl::cat(category)};
  llvm::cl::opt<uint64_t> maxSteps{
      "max-steps", llvm::cl::init(0),
      llvm::cl::desc("Ops to run before an error; 0 for no bound"),
      llvm::cl::cat(category)};
};
} // namespace

/// Turns an error into a diagnostic, at the op's location if it has one.
static LogicalResult report(func::FuncOp function, llvm::Error error) {
  llvm::handleAllErrors(
      std::move(error),
      [](const ExecutionError &e) { emitError(e.getLocation()) << e.getMessage(); },
      [&](const llvm::ErrorInfoBase &e) {
        emitError(function.getLoc()) << e.message();
      });
  return failure();
}

static void printResult(const RuntimeValue &value) {
  if (auto *tensor = std::get_if<TensorPtr>(&value))
    llvm::outs() << (*tensor)->getTypeText() << ' ' << (*tensor)->getText() << '\n';
  else
    llvm::outs() << (std::holds_alternative<Tape>(value) ? "tape" : "token") << '\n';
}

static llvm::Error writeResults(ArrayRef<RuntimeValue> results, StringRef function,
                                StringRef directory) {
  if (std::error_code code = llvm::sys::fs::create_directories(directory))
    return llvm::createStringError(directory + ": " + code.message());
  for (auto [i, value] : llvm::enumerate(results)) {
    auto *tensor = std::get_if<TensorPtr>(&value);
    std::string path =
        (directory + "/" + function + "." + Twine(i) + ".npy").str();
    if (!tensor)
      continue;
    if (llvm::Error error = writeNpy(path, **tensor))
      return error;
  }
  return llvm::Error::success();
}

static LogicalResult runFunction(func::FuncOp function, Interpreter &interpreter,
                                 const CommandLine &options) {
  RunInputs inputs{{options.inputs.begin(), options.inputs.end()},
                   options.inputDirectory, options.seed, options.dynamicSize};
  auto arguments = makeArguments(function, inputs);
  if (!arguments)
    return report(function, arguments.takeError());
  auto results = interpreter.run(function.getName(), *arguments);
  if (!results)
    return report(function, results.takeError());
  if (!options.outputDirectory.empty()) {
    llvm::Error error =
        writeResults(*results, function.getName(), options.outputDirectory);
    return error ? report(function, std::move(error)) : success();
  }
  if (options.everyFunction)
    llvm::outs() << '@' << function.getName() << '\n';
  llvm::for_each(*results, printResult);
  return success();
}

static LogicalResult runModule(ModuleOp module, const CommandLine &options) {
  if (!options.reference)
    return module.emitError("ms-run needs a way to run: give --reference");
  InterpreterOptions interpreterOptions;
  interpreterOptions.maxSteps = options.maxSteps;
  interpreterOptions.output = &llvm::outs();
  Interpreter interpreter(module, interpreterOptions);
  if (!options.everyFunction) {
    auto function = module.lookupSymbol<func::FuncOp>(options.entry);
    if (!function)
      return module.emitError("there is no function '") << options.entry << "'";
    return runFunction(function, interpreter, options);
  }
  LogicalResult status = success();
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && failed(runFunction(function, interpreter, options)))
      status = failure();
  return status;
}

LogicalResult mindir::runMain(int argc, char **argv, DialectRegistry &registry) {
  llvm::InitLLVM init(argc, argv);
  CommandLine options;
  llvm::cl::HideUnrelatedOptions(options.category);
  llvm::cl::ParseCommandLineOptions(argc, argv, "Runs functions of a MindIR file\n");
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  auto module = parseSourceFile<ModuleOp>(options.file, sources, &context);
  if (!module)
    return failure();
  return runModule(*module, options);
}
