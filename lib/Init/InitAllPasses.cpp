//===- InitAllPasses.cpp - registration of all passes ---------------------===//
//
// Registers MindIR's passes and pipelines, and every upstream pass.
//
//===----------------------------------------------------------------------===//

#include "mindir/InitAllPasses.h"

#include "mindir/Codegen/CPU/Passes.h"
#include "mindir/Conversion/Passes.h"
#include "mindir/Pipelines/Pipelines.h"
#include "mindir/Transforms/AutoDiff/Passes.h"
#include "mindir/Transforms/Fusion/Passes.h"
#include "mindir/Transforms/Layout/Passes.h"
#include "mindir/Transforms/Memory/Passes.h"
#include "mindir/Transforms/Parallel/Passes.h"
#include "mindir/Transforms/Simplify/Passes.h"

#include "mlir/InitAllPasses.h"

void mlir::mindir::registerAllPasses() {
  mlir::registerAllPasses();
  registerAutoDiffPasses();
  registerCPUCodegenPasses();
  registerConversionPasses();
  registerFusionPasses();
  registerLayoutPasses();
  registerMemoryPasses();
  registerParallelPasses();
  registerSimplifyPasses();
  registerPipelines();
}
