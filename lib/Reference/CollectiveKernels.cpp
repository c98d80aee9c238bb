//===- CollectiveKernels.cpp - collectives over a process grid ------------===//
//
// Hands a collective to the grid that the run was given.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Reference/Kernels.h"

using namespace mlir;
using namespace mlir::mindir;
using namespace mlir::mindir::reference;

template <typename OpTy> static LogicalResult runCollective(OpTy op, KernelCall &call) {
  ProcessGrid *grid = call.getOptions().grid;
  if (!grid)
    return call.fail("NotImplementedError: '" + OpTy::getOperationName() +
                     "' needs a process grid, and this run has none");
  llvm::Expected<Tensor> result = grid->runCollective(op, call.get(op.getInput()));
  if (!result)
    return call.fail("RuntimeError: " + llvm::toString(result.takeError()));
  call.addResult(std::move(*result));
  return success();
}

void reference::populateCollectiveKernels(KernelRegistry &registry) {
  registry.add<AllGatherOp>(runCollective<AllGatherOp>);
  registry.add<AllReduceOp>(runCollective<AllReduceOp>);
  registry.add<AllSliceOp>(runCollective<AllSliceOp>);
  registry.add<AllToAllOp>(runCollective<AllToAllOp>);
  registry.add<ReduceScatterOp>(runCollective<ReduceScatterOp>);
}
