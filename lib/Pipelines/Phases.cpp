//===- Phases.cpp - the order of the phases, and why ----------------------===//
//
// The one place that orders the road from mindir to the LLVM dialect.
//
//===----------------------------------------------------------------------===//

#include "mindir/Pipelines/Phases.h"

#include "mindir/Codegen/CPU/Passes.h"
#include "mindir/Conversion/Passes.h"
#include "mindir/Transforms/AutoDiff/Passes.h"
#include "mindir/Transforms/Fusion/Passes.h"
#include "mindir/Transforms/Layout/Passes.h"
#include "mindir/Transforms/Memory/Passes.h"
#include "mindir/Transforms/Simplify/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::mindir;

/// Canonicalizes, but for one upstream pattern, which takes a value that `scf.for`
/// carries to keep the shape of a `tensor.cast` that it starts with: a tensor that
/// grows would be cast to its first size.
static void addCanonicalizer(OpPassManager &manager) {
  manager.addPass(createCanonicalizerPass(
      GreedyRewriteConfig(), {"(anonymous namespace)::ForOpTensorCastFolder"}));
}

/// Ops of the largest function that is copied into its callers: before derivatives
/// are taken, so that large functions are differentiated once, and after.
static constexpr int64_t kInlinedPrimal = 8, kInlinedAtLast = 24;

static void addInliner(OpPassManager &manager, int64_t maxOps, bool keepDynamic) {
  InlineFunctionsOptions options;
  options.maxOps = maxOps;
  options.keepDynamic = keepDynamic;
  manager.addPass(createInlineFunctions(options));
  manager.addPass(createSymbolDCEPass());
  addCanonicalizer(manager);
  manager.addPass(createCSEPass());
}

/// Programs: what nobody uses goes, what is computed twice is computed once.
static void buildSimplify(OpPassManager &manager, const PhaseOptions &) {
  addInliner(manager, kInlinedPrimal, /*keepDynamic=*/true);
}

/// Derivatives: of a simplified program, and what they leave is simplified again.
/// What is small by then is inlined: fusion sees no further than a function.
static void buildAutoDiff(OpPassManager &manager, const PhaseOptions &) {
  buildAutoDiffPipeline(manager);
  addInliner(manager, kInlinedAtLast, /*keepDynamic=*/false);
}

/// Layouts: after derivatives, so that gradients take part; before composite ops are
/// written out, while a normalization is one op with an axis.
static void buildLayout(OpPassManager &manager, const PhaseOptions &) {
  manager.addPass(createAssignLayouts());
  addCanonicalizer(manager);
  manager.addPass(createCSEPass());
  manager.addPass(createVerifyLayouts());
}

/// Composite ops that no library or rule took whole are written out, after autodiff,
/// whose rules for them are better than the derivative of their parts.
static void buildDecompose(OpPassManager &manager, const PhaseOptions &) {
  DecomposeCompositesOptions options;
  options.keepChecked = true;
  manager.addPass(createDecomposeComposites(options));
  addCanonicalizer(manager);
  manager.addPass(createCSEPass());
}

/// Every op becomes loops on tensors, or a library call.
static void buildLinalg(OpPassManager &manager, const PhaseOptions &options) {
  // Signedness and donation are known only while types are mindir's.
  manager.addPass(createRecordEntries());
  ConvertMindIRToLinalgOptions conversion;
  conversion.libraries.assign(options.libraries.begin(), options.libraries.end());
  manager.addPass(createCountTapes());
  manager.addPass(createConvertMindIRToLinalg(conversion));
  addCanonicalizer(manager);
  manager.addPass(createCSEPass());
}

/// Kernels get larger before buffers fix what each writes.
static void buildFusion(OpPassManager &manager, const PhaseOptions &) {
  // While an op is still one loop.
  manager.addPass(createFuseLibraryEpilogues());
  manager.addPass(createFuseElementwise());
  addCanonicalizer(manager);
  // Equal ops are one before they get different partners.
  manager.addPass(createCSEPass());
  manager.addPass(createMergeLoops());
  // What bodies computed twice, they compute once.
  addCanonicalizer(manager);
  manager.addPass(createCSEPass());
  manager.addPass(createVerifyFusion());
}

/// Buffers: every value gets one, updates theirs, and each is freed once.
static void buildMemory(OpPassManager &manager, const PhaseOptions &) {
  // After the last CSE, before bufferization sees one value with many writers.
  manager.addPass(createSeparateFills());
  manager.addPass(createPlaceUpdates());
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
  LabelIteratorsOptions labels;
  labels.allParallel = true;
  manager.addPass(createLabelIterators(labels));
  manager.addPass(bufferization::createOneShotBufferizePass(options));
  manager.addPass(createLabelIterators());
  addCanonicalizer(manager);
  manager.addPass(createRotateBuffers());
  // Before deallocation, which would clone an argument that is returned.
  manager.addPass(createBindUpdates());
  manager.addPass(createPassResults());
  bufferization::buildBufferDeallocationPipeline(manager);
  // A returned argument is cloned.
  manager.addPass(createConvertBufferizationToMemRefPass());
  addCanonicalizer(manager);
  // Lifetimes are explicit now, and so are the layouts that kernels are made for.
  // Equal sizes are one value, so that buffers of unknown size can share.
  manager.addPass(createCSEPass());
  manager.addPass(createPlanArena());
  manager.addPass(createOutlineKernels());
  manager.addPass(createVerifyMemory());
}

/// Code: loops, then the LLVM dialect.
static void buildCodegen(OpPassManager &manager, const PhaseOptions &) {
  // Kernels are functions of their own: the loops left are the program's.
  manager.addPass(createAddRunChecks());
  manager.addPass(createConvertMindIRToLibrary());
  manager.addPass(createLowerLaunches());
  manager.addPass(createLowerKernelsToLoops());
  addCanonicalizer(manager);
  manager.addPass(createCSEPass());
  manager.addPass(createLoopInvariantCodeMotionPass());
  manager.addPass(createApproximateMath());
  manager.addPass(createVerifyVectorMath());
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createSCFToControlFlowPass());
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  manager.addPass(arith::createArithExpandOpsPass(expand));
  manager.addPass(createConvertVectorToLLVMPass());
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
  manager.addPass(createPackParallelCalls());
  addCanonicalizer(manager);
  manager.addPass(createCSEPass());
}

ArrayRef<Phase> mlir::mindir::getCPUPhases() {
  static const Phase phases[] = {
      {"simplify", "Removes what is unused, equal or constant", buildSimplify},
      {"autodiff", "Replaces derivatives by ordinary functions", buildAutoDiff},
      {"layout", "Puts images channels-last where convolutions are", buildLayout},
      {"decompose", "Writes out composite ops", buildDecompose},
      {"linalg", "Lowers mindir ops to loops on tensors", buildLinalg},
      {"fusion", "Joins loops into kernels", buildFusion},
      {"memory", "Gives every tensor a buffer", buildMemory},
      {"codegen", "Lowers loops on buffers to the LLVM dialect", buildCodegen},
  };
  return phases;
}
