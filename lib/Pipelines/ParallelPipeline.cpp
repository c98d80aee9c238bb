//===- ParallelPipeline.cpp - the Parallel phase --------------------------===//
//
// From sharding annotations to mindir collectives.
//
//===----------------------------------------------------------------------===//

#include "mindir/Pipelines/Pipelines.h"

#include "mindir/Conversion/Passes.h"
#include "mindir/Transforms/Parallel/Passes.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::mindir;

void mlir::mindir::buildParallelPipeline(OpPassManager &manager) {
  // Before propagation, which drops what cannot be; and after it, for what it added.
  manager.addPass(createVerifyShardings());
  manager.addPass(createPropagateShardings());
  manager.addPass(createVerifyShardings());
  manager.addPass(createPartitionModule());
  // Uses that want one reshard each share it.
  manager.addPass(createCSEPass());
  manager.addPass(createConvertShardToMindIR());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}
