//===- SimulatedGrid.h - a device grid in one process ---------------------===//
//
// Runs a partitioned function once per device. Devices take turns: one runs until it
// waits for its group, so that a run is deterministic, and devices that would wait
// for ever are found at once.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_REFERENCE_SIMULATEDGRID_H
#define MINDIR_REFERENCE_SIMULATEDGRID_H

#include "mindir/Reference/Collectives.h"
#include "mindir/Reference/Interpreter.h"

#include <condition_variable>
#include <mutex>
#include <vector>

namespace mlir::mindir::reference {

class SimulatedGrid {
public:
  /// A grid named `name` in the module; all extents must be known.
  SimulatedGrid(StringRef name, GridShape shape);
  ~SimulatedGrid();

  /// Runs function `function` on every device, device i on `arguments[i]`, and gives
  /// the results of every device. The error of a run is that of the device that
  /// failed first; collectives that do not meet are an error that says where each
  /// device waits.
  llvm::Expected<std::vector<SmallVector<RuntimeValue>>>
  run(ModuleOp module, StringRef function,
      ArrayRef<SmallVector<RuntimeValue>> arguments, InterpreterOptions options);

private:
  class Port;
  enum class State { Ready, Waiting, Ended };
  struct Device {
    State state = State::Ready;
    /// The collective that the device waits at, and what it gives to it.
    Operation *op = nullptr;
    const Tensor *input = nullptr;
    /// What the collective gave, or why it did not.
    std::optional<Tensor> output;
    std::string failure;
    /// What the function gave; a failed device has none.
    SmallVector<RuntimeValue> results;
  };

  void runDevice(int64_t number, ModuleOp module, StringRef function,
                 ArrayRef<RuntimeValue> arguments, InterpreterOptions options);
  llvm::Expected<Tensor> meet(int64_t number, Operation *op, const Tensor &input);
  void completeGroup(ArrayRef<int64_t> group);
  void passTurn();
  void failWaiting();
  std::string describeDevices();

  std::string name;
  GridShape shape;
  std::vector<Device> devices;
  std::mutex mutex;
  std::condition_variable turnChanged;
  int64_t turn = 0;
  llvm::Error firstError = llvm::Error::success();
};

} // namespace mlir::mindir::reference

#endif // MINDIR_REFERENCE_SIMULATEDGRID_H
