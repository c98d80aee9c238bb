//===- StateKernels.cpp - generator state and constants to derivation -----===//
//
// What state ops do to values.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Reference/Kernels.h"

using namespace mlir;
using namespace mlir::mindir;
using namespace mlir::mindir::reference;

static LogicalResult runSeedState(SeedStateOp op, KernelCall &call) {
  Tensor state(DType::UI64, {2});
  state.setInteger(0, Integer(op.getSeed()));
  call.addResult(std::move(state));
  return success();
}

static LogicalResult runStopGradient(StopGradientOp op, KernelCall &call) {
  call.addResult(call.getValue(op.getInput()));
  return success();
}

void reference::populateStateKernels(KernelRegistry &registry) {
  registry.add<SeedStateOp>(runSeedState);
  registry.add<StopGradientOp>(runStopGradient);
}
