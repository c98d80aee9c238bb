//===- SimulatedGrid.cpp - a device grid in one process -------------------===//
//
// One thread per device, of which the one whose turn it is runs.
//
//===----------------------------------------------------------------------===//

#include "mindir/Reference/SimulatedGrid.h"

#include <thread>

using namespace mlir;
using namespace mlir::mindir;
using namespace mlir::mindir::reference;

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// The grid as one device sees it.
class SimulatedGrid::Port : public ProcessGrid {
public:
  Port(SimulatedGrid &grid, int64_t device) : grid(grid), device(device) {}
  llvm::Expected<Tensor> runCollective(Operation *op, const Tensor &input) override {
    return grid.meet(device, op, input);
  }

private:
  SimulatedGrid &grid;
  int64_t device;
};

static ArrayRef<int64_t> getGroupAxes(Operation *op) {
  return op->getAttrOfType<DenseI64ArrayAttr>("grid_axes").asArrayRef();
}

llvm::Expected<Tensor> SimulatedGrid::meet(int64_t number, Operation *op,
                                           const Tensor &input) {
  auto grid = op->getAttrOfType<FlatSymbolRefAttr>("grid");
  if (grid.getValue() != name)
    return llvm::createStringError("a collective over grid '" + grid.getValue() +
                                   "' in a run on grid '" + name + "'");
  std::unique_lock<std::mutex> lock(mutex);
  Device &device = devices[number];
  device.state = State::Waiting;
  device.op = op;
  device.input = &input;
  device.output.reset();
  SmallVector<int64_t> group = shape.getGroup(number, getGroupAxes(op));
  if (llvm::all_of(group, [&](int64_t member) {
        return devices[member].state == State::Waiting && devices[member].op == op;
      }))
    completeGroup(group);
  passTurn();
  turnChanged.wait(lock, [&] { return turn == number; });
  if (!device.output)
    return llvm::createStringError(device.failure);
  return std::move(*device.output);
}

void SimulatedGrid::completeGroup(ArrayRef<int64_t> group) {
  SmallVector<const Tensor *> inputs;
  for (int64_t member : group)
    inputs.push_back(devices[member].input);
  for (auto [position, member] : llvm::enumerate(group)) {
    Device &device = devices[member];
    auto output = computeCollective(device.op, inputs, position);
    if (output)
      device.output.emplace(std::move(*output));
    else
      device.failure = llvm::toString(output.takeError());
    device.state = State::Ready;
  }
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

/// Gives the turn to the next device that can run. When none can but some wait,
/// those wait for one another for ever: they fail.
void SimulatedGrid::passTurn() {
  auto next = [&]() -> std::optional<int64_t> {
    for (int64_t step = 1, e = devices.size(); step <= e; ++step)
      if (devices[(turn + step) % e].state == State::Ready)
        return (turn + step) % e;
    return std::nullopt;
  };
  std::optional<int64_t> device = next();
  if (!device) {
    failWaiting();
    device = next();
  }
  turn = device.value_or(-1);
  turnChanged.notify_all();
}

void SimulatedGrid::failWaiting() {
  std::string text = describeDevices();
  for (Device &device : devices)
    if (device.state == State::Waiting) {
      device.failure = "the collectives of the devices do not meet: " + text;
      device.state = State::Ready;
    }
}

std::string SimulatedGrid::describeDevices() {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(llvm::enumerate(devices), os, [&](auto item) {
    os << "device " << item.index();
    if (item.value().state == State::Ended)
      os << " has ended";
    else
      os << " waits at '" << item.value().op->getName() << "' ("
         << item.value().op->getLoc() << ")";
  });
  return text;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

SimulatedGrid::SimulatedGrid(StringRef name, GridShape shape)
    : name(name), shape(std::move(shape)) {}

SimulatedGrid::~SimulatedGrid() { llvm::consumeError(std::move(firstError)); }

/// Says on which device an error arose.
static llvm::Error addDevice(llvm::Error error, int64_t number) {
  return llvm::handleErrors(
      std::move(error), [&](const ExecutionError &e) -> llvm::Error {
        return llvm::make_error<ExecutionError>(
            e.getLocation(),
            (e.getMessage() + " (on device " + Twine(number) + ")").str());
      });
}

void SimulatedGrid::runDevice(int64_t number, ModuleOp module, StringRef function,
                              ArrayRef<RuntimeValue> arguments,
                              InterpreterOptions options) {
  {
    std::unique_lock<std::mutex> lock(mutex);
    turnChanged.wait(lock, [&] { return turn == number; });
  }
  Port port(*this, number);
  options.grid = &port;
  auto results = Interpreter(module, options).run(function, arguments);
  std::lock_guard<std::mutex> lock(mutex);
  devices[number].state = State::Ended;
  if (results)
    devices[number].results = std::move(*results);
  else if (firstError)
    llvm::consumeError(results.takeError());
  else
    firstError = addDevice(results.takeError(), number);
  passTurn();
}

llvm::Expected<std::vector<SmallVector<RuntimeValue>>>
SimulatedGrid::run(ModuleOp module, StringRef function,
                   ArrayRef<SmallVector<RuntimeValue>> arguments,
                   InterpreterOptions options) {
  devices = std::vector<Device>(shape.getNumDevices());
  turn = 0;
  std::vector<std::thread> threads;
  for (auto [number, values] : llvm::enumerate(arguments))
    threads.emplace_back([&, number = number, &values = values] {
      runDevice(number, module, function, values, options);
    });
  for (std::thread &thread : threads)
    thread.join();
  if (firstError)
    return std::move(firstError);
  std::vector<SmallVector<RuntimeValue>> results;
  for (Device &device : devices)
    results.push_back(std::move(device.results));
  return results;
}
