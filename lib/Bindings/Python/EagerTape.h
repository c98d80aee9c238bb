//===- EagerTape.h - eager calls and their gradients ------------*- C++ -*-===//
//
// A tape records the calls made while a gradient is taken: for each the code of
// its backward, what that needs, and the nodes of inputs and results. A node is
// the identity of one value of a tensor; a write in place gives the tensor another.
// Tapes nest: the calls that one makes, in its recording and in its backward walk,
// are recorded on the tapes around it, which is what makes gradients of any order.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_BINDINGS_PYTHON_EAGERTAPE_H
#define MINDIR_BINDINGS_PYTHON_EAGERTAPE_H

#include "EagerModule.h"
#include "EagerTensor.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::mindir::python {

using Tensors = llvm::SmallVector<TensorObject *, 4>;
/// A Tensor, or None for a result that was written into an argument.
using Results = std::vector<pybind11::object>;

/// What the Python side does for this one.
struct TapeHooks {
  /// (base, op, arguments) -> the view's value as a Tensor that is no view.
  pybind11::object computeView;
  /// The op `add`.
  pybind11::object add;
};
TapeHooks &getTapeHooks();

class Tape {
public:
  /// Follows the tensor's present value; gives its node.
  uint64_t watch(TensorObject *tensor);
  bool follows(TensorObject *tensor) const;
  /// Appends a call. `backward` is a ModuleCallable, a Python function of the list
  /// of cotangents, or the error to raise. The cotangents are those of `results`,
  /// which are followed from here on.
  void add(pybind11::object backward, Results residuals,
           llvm::ArrayRef<uint64_t> inputs, llvm::ArrayRef<TensorObject *> results);
  /// Keeps what was recorded of the buffer as it is, before a write to it.
  void preserve(const mindrt::Buffer *buffer);
  /// The cotangents of the nodes `sources`, None where zero. `seeds` are (node,
  /// cotangent) of the outputs. To be called when the tape is no longer active.
  Results gradient(const std::vector<std::pair<uint64_t, pybind11::object>> &seeds,
                   const std::vector<uint64_t> &sources);

  size_t size() const { return entries.size(); }

  /// The tapes that were active around this one, while it is active.
  pybind11::object outer;

private:
  struct Type {
    mindrt::DType dtype;
    mindrt::Array::Sizes sizes;
  };
  struct Entry {
    pybind11::object backward;
    Results residuals;
    llvm::SmallVector<uint64_t, 2> inputs, outputs;
    llvm::SmallVector<Type, 1> types;
  };
  using Cotangents = llvm::DenseMap<uint64_t, pybind11::object>;

  std::vector<pybind11::object> runBackward(const Entry &entry,
                                            Results cotangents);
  Results take(const Entry &entry, Cotangents &found,
               const llvm::DenseSet<uint64_t> &kept);

  std::vector<Entry> entries;
  llvm::DenseSet<uint64_t> nodes;
  /// Residuals by the buffer that they share with a tensor of the program.
  llvm::DenseMap<const mindrt::Buffer *, std::vector<pybind11::object>> held;
};

/// The node of the tensor's present value, 0 for none; a view's follows writes to
/// its base.
uint64_t nodeOf(TensorObject *tensor);

/// Runs a module on Tensors, recording it on the innermost of the first `depth`
/// active tapes that follows an input. The caller keeps the tensors alive.
Results call(const std::shared_ptr<ModuleCallable> &module,
             llvm::ArrayRef<TensorObject *> tensors, size_t depth);

} // namespace mlir::mindir::python

#endif // MINDIR_BINDINGS_PYTHON_EAGERTAPE_H
