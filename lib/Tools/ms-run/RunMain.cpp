//===- RunMain.cpp - the driver of ms-run ---------------------------------===//
//
// Command line, the loop over the functions to run, and what is done with results.
//
//===----------------------------------------------------------------------===//

#include "mindir/Tools/RunMain.h"

#include "mindir/Reference/Npy.h"
#include "mindir/Tools/RunCompiled.h"
#include "mindir/Tools/RunGrid.h"
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
      "reference", llvm::cl::desc("Run by the reference interpreter, not compiled"),
      llvm::cl::cat(category)};
  llvm::cl::opt<bool> compare{
      "compare", llvm::cl::desc("Run compiled and by the reference interpreter; fail "
                                "if results differ"),
      llvm::cl::cat(category)};
  llvm::cl::opt<double> tolerance{
      "tolerance", llvm::cl::init(1e-5),
      llvm::cl::desc("What --compare allows, relative to the result or one"),
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
  llvm::cl::opt<std::string> grid{
      "grid", llvm::cl::desc("Run on each device of this shard.grid, simulated; inputs "
                             "are split and results joined by their mindir.sharding"),
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

static InterpreterOptions getInterpreterOptions(const CommandLine &options) {
  InterpreterOptions result;
  result.maxSteps = options.maxSteps;
  result.output = &llvm::outs();
  return result;
}

/// Runs in the way that the options ask for; with `--compare`, in both.
static llvm::Expected<SmallVector<RuntimeValue>>
runOn(func::FuncOp function, ArrayRef<RuntimeValue> arguments,
      const CommandLine &options) {
  auto module = function->getParentOfType<ModuleOp>();
  Interpreter interpreter(module, getInterpreterOptions(options));
  if (options.reference)
    return interpreter.run(function.getName(), arguments);
  auto compiled = runCompiled(module, function.getName(), arguments);
  if (!compiled || !options.compare)
    return compiled;
  auto expected = interpreter.run(function.getName(), arguments);
  if (!expected)
    return expected.takeError();
  if (llvm::Error error = compareResults(*compiled, *expected, options.tolerance))
    return error;
  return compiled;
}

/// The results of a function, on one device or on those of a grid.
static llvm::Expected<SmallVector<RuntimeValue>>
computeResults(func::FuncOp function, const CommandLine &options) {
  RunInputs inputs{{options.inputs.begin(), options.inputs.end()},
                   options.inputDirectory, options.seed, options.dynamicSize};
  if (!options.grid.empty())
    return runOnGrid(function, StringRef(options.grid).ltrim('@'), inputs,
                     getInterpreterOptions(options));
  auto arguments = makeArguments(function, function.getArgumentTypes(), inputs);
  if (!arguments)
    return arguments.takeError();
  return runOn(function, *arguments, options);
}

static LogicalResult runFunction(func::FuncOp function, const CommandLine &options) {
  auto results = computeResults(function, options);
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
  if (options.reference && options.compare)
    return module.emitError("--compare runs both ways: give it without --reference");
  if (!options.grid.empty() && !options.reference)
    return module.emitError("--grid is simulated by the reference interpreter: give it "
                            "with --reference");
  if (!options.everyFunction) {
    auto function = module.lookupSymbol<func::FuncOp>(options.entry);
    if (!function)
      return module.emitError("there is no function '") << options.entry << "'";
    return runFunction(function, options);
  }
  LogicalResult status = success();
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && failed(runFunction(function, options)))
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
