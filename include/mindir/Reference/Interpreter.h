//===- Interpreter.h - the reference interpreter --------------------------===//
//
// Runs functions of a mindir module by plain loops written from the definitions
// of the ops: the oracle for passes, code generation and eager execution.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_REFERENCE_INTERPRETER_H
#define MINDIR_REFERENCE_INTERPRETER_H

#include "mindir/Reference/Tensor.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <variant>

namespace mlir::mindir::reference {

using TensorPtr = std::shared_ptr<const Tensor>;

/// One entry of a persistent stack; the empty tape is a null pointer.
struct TapeEntry {
  TensorPtr value;
  std::shared_ptr<const TapeEntry> rest;
  ~TapeEntry();
};
using Tape = std::shared_ptr<const TapeEntry>;
struct Token {};

/// What an SSA value holds when run. Scalars are tensors of rank 0.
using RuntimeValue = std::variant<TensorPtr, Tape, Token>;

/// A failed run: the op's location and a text that starts with the exception that
/// it becomes in Python ("IndexError: For 'Gather', ...").
class ExecutionError : public llvm::ErrorInfo<ExecutionError> {
public:
  static char ID;
  ExecutionError(Location location, std::string message)
      : location(location), message(std::move(message)) {}
  Location getLocation() const { return location; }
  StringRef getMessage() const { return message; }
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  Location location;
  std::string message;
};

/// The devices that take part in collectives. Without one, there is one device
/// and a collective is an error.
class ProcessGrid {
public:
  virtual ~ProcessGrid() = default;
  /// Runs the collective `op` of this process on `input`; gives its result or a
  /// text that says why not. Blocks until the group has met.
  virtual llvm::Expected<Tensor> runCollective(Operation *op,
                                               const Tensor &input) = 0;
};

struct InterpreterOptions {
  /// Ops to run before giving up on a module that does not end; 0 is no bound.
  uint64_t maxSteps = 0;
  /// Nested function calls before recursion is an error.
  unsigned maxDepth = 1000;
  /// Where `mindir.print` goes; null drops the text.
  llvm::raw_ostream *output = nullptr;
  ProcessGrid *grid = nullptr;
};

/// Interprets one module, which must stay unchanged meanwhile.
class Interpreter {
public:
  explicit Interpreter(ModuleOp module, InterpreterOptions options = {});

  /// Runs function `name`. Arguments must agree with its types; errors are
  /// `ExecutionError`s. Never aborts on what the module or the arguments hold.
  llvm::Expected<SmallVector<RuntimeValue>> run(StringRef name,
                                                ArrayRef<RuntimeValue> arguments);

private:
  friend class KernelCall;
  using Frame = DenseMap<Value, RuntimeValue>;

  llvm::Error fail(Operation *op, const Twine &message);
  llvm::Expected<SmallVector<RuntimeValue>>
  call(Operation *caller, StringRef name, ArrayRef<RuntimeValue> arguments);
  llvm::Expected<SmallVector<RuntimeValue>>
  runRegion(Region &region, ArrayRef<RuntimeValue> arguments);
  llvm::Error runOp(Operation *op);
  llvm::Error checkValue(Operation *op, Type type, const RuntimeValue &value);

  ModuleOp module;
  SymbolTable symbols;
  InterpreterOptions options;
  Frame *frame = nullptr;
  uint64_t steps = 0;
  unsigned depth = 0;
};

} // namespace mlir::mindir::reference

#endif // MINDIR_REFERENCE_INTERPRETER_H
