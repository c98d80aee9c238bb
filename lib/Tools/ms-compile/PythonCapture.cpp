//===- PythonCapture.cpp - modules of Python functions --------------------===//
//
// Finds the interpreter and the package, and runs `python -m mindir.aot`.
//
//===----------------------------------------------------------------------===//

#include "PythonCapture.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

using namespace llvm;
using namespace mlir::mindir;

/// How `mindir.aot` exits after it said what is wrong.
static constexpr int kNotCaptured = 3;

bool mlir::mindir::isPythonFunction(StringRef input) {
  auto [file, function] = input.rsplit(':');
  return file.ends_with(".py") && !function.empty();
}

/// A path relative to the folder of this program; empty when nothing is there.
static std::string findBeside(StringRef relative) {
  static int anchor;
  SmallString<256> path(sys::path::parent_path(
      sys::fs::getMainExecutable("ms-compile", &anchor)));
  sys::path::append(path, relative);
  return sys::fs::exists(path) ? std::string(path) : std::string();
}

static Expected<std::string> findInterpreter(StringRef asked) {
  std::string name = asked.str();
  // In a checkout programs lie in build/bin, and the environment in .venv.
  if (name.empty())
    name = findBeside("../../.venv/bin/python");
  if (name.empty())
    name = "python3";
  ErrorOr<std::string> found = sys::findProgramByName(name);
  if (found)
    return *found;
  return createStringError("expected a Python interpreter to capture the "
                           "function with, found no '" + name +
                           "'; name one by --python");
}

/// Lets Python find the package that belongs to this program: in a checkout, or in
/// the installed package, which holds the programs in its folder bin.
static void setPackagePath() {
  StringRef folder = "../../python";
  if (findBeside("../../python/mindir/aot.py").empty()) {
    if (findBeside("../../mindir/aot.py").empty())
      return;
    folder = "../..";
  }
  std::string path = findBeside(folder);
  if (std::optional<std::string> old = sys::Process::GetEnv("PYTHONPATH"))
    path += sys::EnvPathSeparator + *old;
  ::setenv("PYTHONPATH", path.c_str(), /*overwrite=*/1);
}

static std::vector<std::string> getArguments(const PythonCapture &capture,
                                             StringRef interpreter,
                                             StringRef output) {
  std::vector<std::string> arguments = {
      interpreter.str(), "-m", "mindir.aot", capture.target,
      "--output=" + output.str(), "--entry=" + kCapturedEntry.str(),
      "--parameters=" + capture.parameters};
  for (const std::string &input : capture.inputs)
    arguments.push_back("--input=" + input);
  if (!capture.example.empty())
    arguments.push_back("--example=" + capture.example);
  return arguments;
}

Expected<std::unique_ptr<MemoryBuffer>>
mlir::mindir::capturePython(const PythonCapture &capture) {
  Expected<std::string> interpreter = findInterpreter(capture.interpreter);
  if (!interpreter)
    return interpreter.takeError();
  SmallString<128> output;
  if (std::error_code code =
          sys::fs::createTemporaryFile("mindir", "mlir", output))
    return createStringError("no temporary file: " + code.message());
  scope_exit removal([&] { (void)sys::fs::remove(output); });
  setPackagePath();
  std::vector<std::string> arguments =
      getArguments(capture, *interpreter, output);
  SmallVector<StringRef> views(arguments.begin(), arguments.end());
  std::string message;
  int status =
      sys::ExecuteAndWait(*interpreter, views, std::nullopt, {}, 0, 0, &message);
  if (status == kNotCaptured)
    return createStringError("the function could not be captured");
  if (status)
    return createStringError("the capture by " + *interpreter + " failed " +
                             message +
                             "; if that lacks the package mindir, name another "
                             "Python by --python");
  ErrorOr<std::unique_ptr<MemoryBuffer>> module = MemoryBuffer::getFile(output);
  if (!module)
    return createStringError("the captured module: " +
                             module.getError().message());
  return std::move(*module);
}
