//===- InlineFunctions.cpp - inlining of small functions ------------------===//
//
// Upstream's inliner with a cost: a call is replaced by the body when that is
// small, or called from nowhere else.
//
//===----------------------------------------------------------------------===//

#include "mindir/Transforms/Simplify/Passes.h"

#include "mlir/Analysis/CallGraph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Inliner.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_INLINEFUNCTIONS
#include "mindir/Transforms/Simplify/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

/// The number of ops that compute something in a body, up to one more than `limit`.
static int64_t countOps(Region &body, int64_t limit) {
  int64_t count = 0;
  body.walk([&](Operation *op) {
    bool isFree = op->hasTrait<OpTrait::ConstantLike>() ||
                  op->hasTrait<OpTrait::IsTerminator>();
    count += isFree ? 0 : 1;
    return count > limit ? WalkResult::interrupt() : WalkResult::advance();
  });
  return count;
}

static bool hasStaticResults(func::FuncOp function) {
  return llvm::all_of(function.getResultTypes(), [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return !shaped || shaped.hasStaticShape();
  });
}

namespace {
struct InlineFunctions : mindir::impl::InlineFunctionsBase<InlineFunctions> {
  using InlineFunctionsBase::InlineFunctionsBase;

  void runOnOperation() override {
    countCalls();
    InlinerConfig config(/*defaultPipeline=*/{}, /*maxInliningIterations=*/4);
    Inliner inliner(
        getOperation(), getAnalysis<CallGraph>(), *this, getAnalysisManager(),
        [](Pass &pass, OpPassManager &pipeline, Operation *op) {
          return static_cast<InlineFunctions &>(pass).runPipeline(pipeline, op);
        },
        config, [this](const Inliner::ResolvedCall &call) {
          return isProfitable(call);
        });
    if (failed(inliner.doInlining()))
      signalPassFailure();
  }

private:
  /// Calls of each function as the pass finds them; a private function with one
  /// only leaves no copy behind.
  void countCalls() {
    calls.clear();
    getOperation().walk([&](func::CallOp call) { ++calls[call.getCallee()]; });
  }

  bool isProfitable(const Inliner::ResolvedCall &resolved) {
    Region *body = resolved.targetNode->getCallableRegion();
    auto function = dyn_cast<func::FuncOp>(body->getParentOp());
    if (!function)
      return true;
    if (single && function.isPrivate() && calls.lookup(function.getName()) == 1)
      return true;
    if (!keepDynamic && !hasStaticResults(function))
      return true;
    return countOps(*body, maxOps) <= maxOps;
  }

  llvm::StringMap<unsigned> calls;
};
} // namespace
