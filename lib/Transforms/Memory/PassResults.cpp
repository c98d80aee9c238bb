//===- PassResults.cpp - results in buffers of the caller -----------------===//
//
// Gives private functions an argument for each result of known size.
//
//===----------------------------------------------------------------------===//

#include "mindir/Transforms/Memory/Passes.h"

#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_PASSRESULTS
#include "mindir/Transforms/Memory/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

/// Whether every buffer that the function returns can be allocated by its callers.
static bool canPassResults(func::FuncOp function) {
  return function.isPrivate() && !function.isDeclaration() &&
         llvm::all_of(function.getResultTypes(), [](Type type) {
           auto buffer = dyn_cast<MemRefType>(type);
           return !buffer || (buffer.hasStaticShape() &&
                              buffer.getLayout().isIdentity());
         });
}

namespace {
struct PassResults : mindir::impl::PassResultsBase<PassResults> {
  void runOnOperation() override {
    bufferization::BufferResultsToOutParamsOpts options;
    options.filterFn = [](func::FuncOp *function) {
      return canPassResults(*function);
    };
    options.hoistStaticAllocs = true;
    if (failed(bufferization::promoteBufferResultsToOutParams(getOperation(),
                                                              options)))
      signalPassFailure();
  }
};
} // namespace
