//===- Pipeline.cpp - the AutoDiff phase ----------------------------------===//
//
// The pipeline `mindir-autodiff-pipeline`.
//
//===----------------------------------------------------------------------===//

#include "mindir/Transforms/AutoDiff/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mindir::buildAutoDiffPipeline(OpPassManager &passManager) {
  passManager.addPass(createMindIRResolveTransforms());
  passManager.addPass(createSymbolDCEPass());
  passManager.addPass(createCSEPass());
  passManager.addPass(createMindIRVerifyResolved());
}

void mindir::registerAutoDiffPipelines() {
  PassPipelineRegistration<>(
      "mindir-autodiff-pipeline",
      "Resolves derivatives and vmap into ordinary functions.",
      [](OpPassManager &passManager) { buildAutoDiffPipeline(passManager); });
}
