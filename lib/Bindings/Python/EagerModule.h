//===- EagerModule.h - compiled modules that eager code calls ---*- C++ -*-===//
//
// The protocol that an eager op and a jitted function share: a function of a
// module that can be run on arrays and split into forward and backward.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_BINDINGS_PYTHON_EAGERMODULE_H
#define MINDIR_BINDINGS_PYTHON_EAGERMODULE_H

#include "mindir/Compiler/Executable.h"

#include "llvm/ADT/SmallVector.h"

#include <pybind11/pybind11.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mlir::mindir::python {

class ModuleCallable;

/// A module split by the autodiff pass.
struct Derivative {
  struct Saved {
    bool isArgument;
    unsigned index;
  };
  /// The arguments -> the results, then `numResiduals` residuals.
  std::shared_ptr<ModuleCallable> forward;
  /// The values at `saved`, then the cotangents of the results at `cotangents` ->
  /// the cotangents of the arguments differentiated.
  std::shared_ptr<ModuleCallable> backward;
  unsigned numResiduals = 0;
  std::vector<Saved> saved;
  std::vector<int64_t> cotangents;
};

/// Compiles the function `entry` of a module text with default options. The
/// interpreter lock is released meanwhile.
std::shared_ptr<Executable> compileModuleText(const std::string &text,
                                              const std::string &entry);

/// Runs on arrays that the caller keeps alive. With `keepLock` the interpreter
/// lock is kept, which short code without loops may ask for.
void runExecutable(const Executable &executable,
                   llvm::ArrayRef<mindrt::Array *> arguments,
                   std::vector<mindrt::Array> &results, bool keepLock);

class ModuleCallable {
public:
  /// `updates` maps the index of a result to that of the argument whose new value
  /// it is. `executable` may be null: the module is compiled at its first call.
  ModuleCallable(std::string text, std::string entry,
                 std::shared_ptr<Executable> executable,
                 std::map<unsigned, unsigned> updates)
      : text(std::move(text)), entry(std::move(entry)),
        updates(std::move(updates)), executable(std::move(executable)) {}

  const std::string &getText() const { return text; }
  const std::string &getEntry() const { return entry; }
  const std::map<unsigned, unsigned> &getUpdates() const { return updates; }
  /// The compiled code. Compiles when first asked; raises as `compile`.
  std::shared_ptr<Executable> getExecutable();
  /// The derivative by the arguments at `wrt`. TypeError names an op without rule.
  std::shared_ptr<Derivative> getDerivative(const std::vector<int64_t> &wrt);

  /// Whether this is one op's code, which is short.
  bool isOp = false;

private:
  std::string text, entry;
  std::map<unsigned, unsigned> updates;
  std::shared_ptr<Executable> executable;
  std::map<std::vector<int64_t>, std::shared_ptr<Derivative>> derivatives;
};

} // namespace mlir::mindir::python

#endif // MINDIR_BINDINGS_PYTHON_EAGERMODULE_H
