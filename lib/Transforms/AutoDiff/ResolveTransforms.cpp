//===- ResolveTransforms.cpp - resolution of function transformations -----===//
//
// The pass `mindir-resolve-transforms`: replaces mindir.vjp, jvp and vmap by calls of
// derived functions, innermost first.
//
//===----------------------------------------------------------------------===//

#include "Transformer.h"

#include "mindir/Transforms/AutoDiff/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_MINDIRRESOLVETRANSFORMS
#include "mindir/Transforms/AutoDiff/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

namespace {
struct ResolveTransforms
    : mindir::impl::MindIRResolveTransformsBase<ResolveTransforms> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    Transformer transformer(module);
    SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
    if (failed(transformer.resolve(functions)))
      signalPassFailure();
  }
};
} // namespace
