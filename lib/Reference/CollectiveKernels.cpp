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

static LogicalResult runAllReduce(AllReduceOp op, KernelCall &call) {
  ProcessGrid *grid = call.getOptions().grid;
  if (!grid)
    return call.fail("NotImplementedError: 'mindir.all_reduce' needs a process grid, "
                     "and this run has none");
  llvm::Expected<Tensor> result = grid->runCollective(op, call.get(op.getInput()));
  if (!result)
    return call.fail("RuntimeError: " + llvm::toString(result.takeError()));
  call.addResult(std::move(*result));
  return success();
}

void reference::populateCollectiveKernels(KernelRegistry &registry) {
  registry.add<AllReduceOp>(runAllReduce);
}
