//===- Pipeline.cpp - the AutoDiff phase ----------------------------------===//
//
// The pipeline `mindir-autodiff-pipeline`.
//
//===----------------------------------------------------------------------===//

#include "mindir/Transforms/AutoDiff/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mindir::buildAutoDiffPipeline(OpPassManager &passManager) {
  passManager.addPass(createMindIRResolveTransforms());
  passManager.addPass(createSymbolDCEPass());
  passManager.addPass(createCSEPass());
  passManager.addPass(createMindIRVerifyResolved());
}
