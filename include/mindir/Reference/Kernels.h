//===- Kernels.h - registry of reference kernels --------------------------===//
//
// Maps op names to the functions that compute them. Each op family registers its
// kernels in `<Family>Kernels.cpp`.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_REFERENCE_KERNELS_H
#define MINDIR_REFERENCE_KERNELS_H

#include "mindir/Reference/Interpreter.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <functional>

namespace mlir::mindir::reference {

/// One execution of one op: its operands, the results it gives, and its error.
class KernelCall {
public:
  KernelCall(Interpreter &interpreter, Operation *op)
      : interpreter(interpreter), op(op) {}

  Operation *getOp() const { return op; }
  const InterpreterOptions &getOptions() const { return interpreter.options; }

  /// The value of an operand, or of any value visible at the op.
  const RuntimeValue &getValue(Value value) const;
  /// The same, of tensor, scalar or index type.
  const Tensor &get(Value value) const;
  const Tensor &getOperand(unsigned i) const { return get(op->getOperand(i)); }
  /// The value of an integer or index scalar.
  int64_t getScalar(Value value) const;
  SmallVector<int64_t> getScalars(ValueRange values) const;

  /// Records an error that starts with a Python exception's name; gives failure.
  LogicalResult fail(const Twine &message);

  /// Gives the next result.
  void addResult(RuntimeValue value) { results.push_back(std::move(value)); }
  void addResult(Tensor tensor) {
    addResult(TensorPtr(std::make_shared<Tensor>(std::move(tensor))));
  }
  /// Allocates the next result, of its type's dtype; null (an error has been
  /// recorded) if the shape cannot be. The pointer stays valid for the call.
  Tensor *allocateResult(ArrayRef<int64_t> shape);
  /// Replaces each `?` of the next result's type by the next of `dynamicSizes`.
  Tensor *allocateResult(ValueRange dynamicSizes);

  /// Runs a region's block, and gives what its terminator passes on.
  FailureOr<SmallVector<RuntimeValue>> runRegion(Region &region,
                                                 ArrayRef<RuntimeValue> arguments);
  FailureOr<SmallVector<RuntimeValue>> callFunction(StringRef name,
                                                    ArrayRef<RuntimeValue> arguments);

private:
  friend class Interpreter;
  FailureOr<SmallVector<RuntimeValue>>
  take(llvm::Expected<SmallVector<RuntimeValue>> values);

  Interpreter &interpreter;
  Operation *op;
  SmallVector<RuntimeValue> results;
  llvm::Error error = llvm::Error::success();
};

using Kernel = std::function<LogicalResult(KernelCall &)>;

/// Kernels by op name.
class KernelRegistry {
public:
  /// The kernels of all families.
  static const KernelRegistry &get();

  /// Registers a kernel, a callable `LogicalResult(OpTy, KernelCall &)`.
  template <typename OpTy, typename Callable> void add(Callable kernel) {
    kernels[OpTy::getOperationName()] = [kernel](KernelCall &call) {
      return kernel(cast<OpTy>(call.getOp()), call);
    };
  }
  /// Registers that an op is not run: `remedy` closes the error.
  template <typename OpTy> void refuse(StringRef remedy) {
    refused.insert(OpTy::getOperationName());
    add<OpTy>([remedy](OpTy op, KernelCall &call) {
      return call.fail("NotImplementedError: '" + op->getName().getStringRef() +
                       "' is not interpreted; " + remedy);
    });
  }
  /// The kernel of an op, or null.
  const Kernel *lookup(StringRef name) const;
  /// Whether an op has a kernel that computes it.
  bool computes(StringRef name) const {
    return kernels.contains(name) && !refused.contains(name);
  }

private:
  llvm::StringMap<Kernel> kernels;
  llvm::StringSet<> refused;
};

void populateElementwiseKernels(KernelRegistry &registry);
void populateReductionKernels(KernelRegistry &registry);
void populateLinearKernels(KernelRegistry &registry);
void populateNormalizationKernels(KernelRegistry &registry);
void populateMovementKernels(KernelRegistry &registry);
void populateIndexingKernels(KernelRegistry &registry);
void populateRandomKernels(KernelRegistry &registry);
void populateStateKernels(KernelRegistry &registry);
void populateCollectiveKernels(KernelRegistry &registry);
void populateControlFlowKernels(KernelRegistry &registry);
/// Scalar and shape arithmetic: the ops of arith and tensor in mindir modules.
void populateScalarKernels(KernelRegistry &registry);

/// Decodes a constant; none if its encoding is not known.
std::optional<Tensor> decodeElements(ElementsAttr elements);

} // namespace mlir::mindir::reference

#endif // MINDIR_REFERENCE_KERNELS_H
