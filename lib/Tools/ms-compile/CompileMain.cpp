//===- CompileMain.cpp - the driver of ms-compile -------------------------===//
//
// Reads a module or has a Python function captured, and writes an object file or,
// through the system's linker, a shared library, and a C header beside it.
//
//===----------------------------------------------------------------------===//

#include "mindir/Tools/CompileMain.h"

#include "PythonCapture.h"

#include "mindir/Compiler/Compiler.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <dlfcn.h>

using namespace mlir;
using namespace mlir::mindir;

namespace {
/// ms-compile's options; made when it runs, so that a library user has none.
struct CommandLine {
  llvm::cl::OptionCategory category{"ms-compile options"};
  llvm::cl::opt<std::string> file{llvm::cl::Positional, llvm::cl::init("-"),
                                  llvm::cl::desc("<file.mlir, or file.py:function>"),
                                  llvm::cl::cat(category)};
  llvm::cl::opt<std::string> output{
      "o", llvm::cl::Required,
      llvm::cl::desc("Output: a shared library if it ends in .so, else an object"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> header{
      "header", llvm::cl::desc("C header to write (default: the output's name)"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> entry{"entry", llvm::cl::init("main"),
                                   llvm::cl::desc("The function to compile"),
                                   llvm::cl::cat(category)};
  llvm::cl::opt<std::string> symbol{
      "symbol", llvm::cl::desc("C name of the function (default: the output's name)"),
      llvm::cl::cat(category)};
  llvm::cl::opt<unsigned> level{"opt-level", llvm::cl::init(2),
                                llvm::cl::desc("Optimization level, 0 to 3"),
                                llvm::cl::cat(category)};
  llvm::cl::opt<std::string> triple{
      "target", llvm::cl::desc("Target triple (default: this machine)"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> cpu{"cpu", llvm::cl::init("generic"),
                                 llvm::cl::desc("Processor, with --target"),
                                 llvm::cl::cat(category)};
  llvm::cl::opt<std::string> features{
      "features", llvm::cl::desc("Processor features, with --target"),
      llvm::cl::cat(category)};
  llvm::cl::list<std::string> libraries{
      "libraries", llvm::cl::CommaSeparated,
      llvm::cl::desc("Libraries to call, as onednn, which the static runtime has "
                     "not (default: none)"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> linker{
      "linker", llvm::cl::init("cc"),
      llvm::cl::desc("Compiler driver that links shared libraries"),
      llvm::cl::cat(category)};
  llvm::cl::list<std::string> inputs{
      "input", llvm::cl::desc("Type of each argument of a Python function, in "
                              "order: float32[2,?], ? for an open size"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> example{
      "example", llvm::cl::desc("The Python file's name for a tuple of example "
                                "arguments (default: example_inputs)"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> parameters{
      "parameters", llvm::cl::init("constants"),
      llvm::cl::desc("What Parameters of a Python function become: constants, or "
                     "arguments behind its own. Those it writes are arguments"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> python{
      "python", llvm::cl::desc("The Python that has the package mindir"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> saveGraphs{
      "save-graphs", llvm::cl::desc("Folder for the IR after each phase"),
      llvm::cl::cat(category)};
};
} // namespace

static LogicalResult fail(const Twine &message) {
  llvm::errs() << "ms-compile: " << message << '\n';
  return failure();
}

static LogicalResult writeFile(StringRef path, StringRef contents) {
  std::error_code code;
  llvm::raw_fd_ostream stream(path, code);
  if (!code) {
    stream << contents;
    stream.close();
    code = stream.error();
    stream.clear_error();
  }
  return code ? fail(path + ": " + code.message()) : success();
}

/// A C name made of a file's.
static std::string makeSymbol(StringRef path) {
  std::string symbol = llvm::sys::path::stem(path).str();
  for (char &c : symbol)
    if (!llvm::isAlnum(c))
      c = '_';
  return symbol.empty() || llvm::isDigit(symbol[0]) ? "_" + symbol : symbol;
}

/// The folder that the runtime was loaded from.
static std::string getRuntimeFolder() {
  Dl_info info;
  auto *symbol = reinterpret_cast<const void *>(&mindrt_alloc);
  if (!dladdr(symbol, &info) || !info.dli_fname)
    return ".";
  return llvm::sys::path::parent_path(info.dli_fname).str();
}

static LogicalResult link(const CommandLine &options, StringRef object) {
  auto linker = llvm::sys::findProgramByName(options.linker);
  if (!linker)
    return fail("the linker '" + options.linker +
                "' was not found; name one by --linker, or write an object (.o)");
  std::string folder = getRuntimeFolder(), rpath = "-Wl,-rpath," + folder;
  std::string search = "-L" + folder;
  StringRef arguments[] = {*linker, "-shared", "-o",      options.output,
                           object,  search,    "-lmindrt", rpath, "-lm"};
  std::string message;
  if (llvm::sys::ExecuteAndWait(*linker, arguments, std::nullopt, {}, 0, 0,
                                &message) != 0)
    return fail("the linker failed " + message);
  return success();
}

static LogicalResult writeCode(const CommandLine &options, StringRef object) {
  if (!StringRef(options.output).ends_with(".so"))
    return writeFile(options.output, object);
  llvm::SmallString<128> temporary;
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("mindir", "o", temporary))
    return fail("no temporary file: " + code.message());
  LogicalResult status = writeFile(temporary, object);
  if (succeeded(status))
    status = link(options, temporary);
  (void)llvm::sys::fs::remove(temporary);
  return status;
}

static ObjectOptions getObjectOptions(const CommandLine &line) {
  ObjectOptions options;
  options.entry = line.entry;
  options.optimizationLevel = line.level;
  options.saveGraphsPath = line.saveGraphs;
  options.triple = line.triple;
  options.cpu = line.cpu;
  options.features = line.features;
  options.libraries.emplace(line.libraries.begin(), line.libraries.end());
  options.symbol =
      line.symbol.empty() ? makeSymbol(line.output) : std::string(line.symbol);
  return options;
}

/// The module's text: read, or captured.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
getModule(CommandLine &line) {
  if (isPythonFunction(line.file)) {
    line.entry = kCapturedEntry.str();
    return capturePython({line.file, line.python, line.inputs, line.example,
                          line.parameters});
  }
  if (!line.inputs.empty() || line.example.getNumOccurrences() ||
      line.parameters.getNumOccurrences())
    return llvm::createStringError("--input, --example and --parameters are for "
                                   "a Python function, file.py:function");
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(line.file);
  if (!file)
    return llvm::createStringError(file.getError().message());
  return std::move(*file);
}

/// The comment lines at the head of a module, which the header repeats.
static std::string getAbout(StringRef module) {
  std::string about;
  while (module.consume_front("// ")) {
    auto [line, rest] = module.split('\n');
    about += line.str() + "\n";
    module = rest;
  }
  return about;
}

LogicalResult mindir::compileMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  CommandLine line;
  llvm::cl::HideUnrelatedOptions(line.category);
  llvm::cl::ParseCommandLineOptions(
      argc, argv, "Compiles a MindIR or Python function for C programs\n");
  auto module = getModule(line);
  if (!module)
    return fail(line.file + ": " + llvm::toString(module.takeError()));
  ObjectOptions options = getObjectOptions(line);
  auto compiled = compileObject({(*module)->getBuffer(), {}}, options);
  if (!compiled)
    return fail(line.file + ": " + llvm::toString(compiled.takeError()));
  if (failed(writeCode(line, compiled->object->getBuffer())))
    return failure();
  llvm::SmallString<128> header(line.header);
  if (header.empty()) {
    header = line.output;
    llvm::sys::path::replace_extension(header, "h");
  }
  return writeFile(header, makeHeader(compiled->signature, options.symbol,
                                      getAbout((*module)->getBuffer())));
}
