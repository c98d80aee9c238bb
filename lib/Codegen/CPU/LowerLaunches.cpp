//===- LowerLaunches.cpp - kernels are called -----------------------------===//
//
// Replaces launches by calls of the kernels' functions.
//
//===----------------------------------------------------------------------===//

#include "mindir/Codegen/CPU/Passes.h"

#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_LOWERLAUNCHES
#include "mindir/Codegen/CPU/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

namespace {

struct LowerLaunches : mlir::mindir::impl::LowerLaunchesBase<LowerLaunches> {
  void runOnOperation() override {
    SmallVector<LaunchOp> launches;
    getOperation().walk([&](LaunchOp op) { launches.push_back(op); });
    for (LaunchOp op : launches) {
      if (op->getNumResults()) {
        op.emitOpError("is on tensors; bufferize first");
        return signalPassFailure();
      }
      OpBuilder b(op);
      func::CallOp::create(b, op.getLoc(), op.getKernel(), TypeRange(),
                           op->getOperands());
      op.erase();
    }
  }
};

} // namespace
