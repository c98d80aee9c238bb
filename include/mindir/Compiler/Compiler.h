//===- Compiler.h - from a mindir module to code that runs ----------------===//
//
// The whole road for CPUs: the phases, LLVM, linking, and the cache on disk.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_COMPILER_COMPILER_H
#define MINDIR_COMPILER_COMPILER_H

#include "mindir/Compiler/Executable.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir::mindir {

/// A module to compile.
struct ModuleSource {
  /// MLIR text, which identifies the module in the cache.
  llvm::StringRef text;
  /// The same module as text or bytecode with source positions; may be empty.
  llvm::StringRef located;
};

struct CompileOptions {
  /// The function to call.
  std::string entry = "main";
  /// LLVM's optimization level, 0 to 3.
  unsigned optimizationLevel = 2;
  /// Libraries to call, as "onednn"; none given: what the runtime has.
  std::optional<std::vector<std::string>> libraries;
  /// A folder to write the IR to after each phase (`00_parse.mlir` first); made
  /// if need be. The cache is then not read. Empty: none.
  std::string saveGraphsPath;
  /// Where code is kept on disk; none: nowhere.
  std::optional<std::string> cacheDirectory;
  uint64_t cacheBytes = uint64_t(1) << 30;
  /// Asked between passes; true ends the compilation with the error code
  /// `std::errc::interrupted`. May be empty.
  std::function<bool()> isInterrupted;
  /// Takes texts that do not end the compilation. May be empty.
  std::function<void(llvm::StringRef)> warn;
};

/// Compiles a module for this machine, or loads what the cache has of it. The
/// text of an error may start with the Python exception that it becomes. Threads
/// may compile at once.
llvm::Expected<std::shared_ptr<Executable>> compile(const ModuleSource &source,
                                                    const CompileOptions &options);

/// What an ahead-of-time compilation makes.
struct CompiledObject {
  std::unique_ptr<llvm::MemoryBuffer> object;
  CallSignature signature;
};

struct ObjectOptions : CompileOptions {
  /// The processor; empty triple: this machine.
  std::string triple, cpu, features;
  /// The C name of the function that the object defines.
  std::string symbol = "mindir_main";
};

/// Compiles a module to an object file, without the cache. It defines the function
/// that `makeHeader` declares and needs the runtime and libm.
llvm::Expected<CompiledObject> compileObject(const ModuleSource &source,
                                             const ObjectOptions &options);

/// A C header that declares the function `symbol` of a compiled object. The lines
/// of `about` stand in a comment at its head.
std::string makeHeader(const CallSignature &signature, llvm::StringRef symbol,
                       llvm::StringRef about = {});

} // namespace mlir::mindir

#endif // MINDIR_COMPILER_COMPILER_H
