//===- Phases.cpp - the order of the phases, and why ----------------------===//
//
// The one place that orders the road from mindir to the LLVM dialect.
//
//===----------------------------------------------------------------------===//

#include "mindir/Pipelines/Phases.h"

#include "mindir/Conversion/Passes.h"
#include "mindir/Transforms/AutoDiff/Passes.h"
#include "mindir/Transforms/Memory/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::mindir;

/// Kernels: loops on tensors, fused where one feeds another.
static void buildLinalg(OpPassManager &manager) {
  // Signedness and donation are known only while types are mindir's.
  manager.addPass(createRecordEntries());
  manager.addPass(createConvertMindIRToLinalg());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addNestedPass<func::FuncOp>(createLinalgElementwiseOpFusionPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

/// Buffers: every value gets one, updates theirs, and each is freed once.
static void buildMemory(OpPassManager &manager) {
  manager.addPass(bufferization::createEmptyTensorEliminationPass());
  manager.addPass(bufferization::createEmptyTensorToAllocTensorPass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  options.unknownTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  options.allowReturnAllocsFromLoops = true;
  // The allocator aligns; a wish in the IR would make it allocate more.
  options.bufferAlignment = 0;
  manager.addPass(bufferization::createOneShotBufferizePass(options));
  manager.addPass(createCanonicalizerPass());
  // Before deallocation, which would clone an argument that is returned.
  manager.addPass(createBindUpdates());
  bufferization::buildBufferDeallocationPipeline(manager);
  // A returned argument is cloned.
  manager.addPass(createConvertBufferizationToMemRefPass());
}

/// Code: loops, then the LLVM dialect.
static void buildCodegen(OpPassManager &manager) {
  manager.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createSCFToControlFlowPass());
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  manager.addPass(arith::createArithExpandOpsPass(expand));
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createConvertMathToLibmPass());
  FinalizeMemRefToLLVMConversionPassOptions memref;
  memref.useGenericFunctions = true;
  manager.addPass(createFinalizeMemRefToLLVMConversionPass(memref));
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createConvertIndexToLLVMPass());
  manager.addPass(createConvertFuncToLLVMPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

ArrayRef<Phase> mlir::mindir::getCPUPhases() {
  static const Phase phases[] = {
      {"autodiff", "Replaces derivatives by ordinary functions",
       buildAutoDiffPipeline},
      {"linalg", "Lowers mindir ops to loops on tensors", buildLinalg},
      {"memory", "Gives every tensor a buffer", buildMemory},
      {"codegen", "Lowers loops on buffers to the LLVM dialect", buildCodegen},
  };
  return phases;
}
