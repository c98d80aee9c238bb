//===- Passes.td - passes of the Fusion phase -----------------*- tablegen -*-===//
//
// Passes that join ops into kernels.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_TRANSFORMS_FUSION_PASSES_TD
#define MINDIR_TRANSFORMS_FUSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def FuseElementwise : Pass<"mindir-fuse-elementwise"> {
  let summary = "Computes elementwise producers inside the loops of their consumers";
  let description = [{
    A producer whose loops are all parallel moves into the loops of a consumer that reads
    it: into its only one, or, when it is cheaper to compute again than to read (a
    broadcast, a transpose, an op or two on one tensor), into each; so does one of at
    most 8 ops whose inputs its consumers read anyway, when that saves reads and writes
    of whole tensors. The consumer may
    reduce, so that `sum(exp(x))` is one kernel. A kernel with more operands than the
    processor streams well is not made. Remarks of category `fusion` say of each
    producer why it was fused or not.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"
  ];
}

def FuseLibraryEpilogues : Pass<"mindir-fuse-library-epilogues"> {
  let summary = "Lets library calls add biases and residuals to their results";
  let description = [{
    A library call computes what follows it, if it can with the same value (sums,
    differences and products with a vector along the channels, sums with a tensor) and
    if that saves a pass over memory: not where a loop that reads the result computes it
    on the way. A table for each library says what it takes. oneDNN's relu is not in it,
    because it turns NaN into 0. Remarks of category `fusion` say what was taken in, and
    what was not.

    ```mlir
    %0 = mindir.library_call "onednn.matmul" ins(%a, %b : ...) outs(%i : ...) config = [0] -> tensor<8x4xf32>
    %1 = linalg.generic ... ins(%0, %residual : ...)    // a sum
    // becomes
    %1 = mindir.library_call "onednn.matmul" ins(%a, %b, %residual : ...) outs(%i : ...) config = [1, 1, 0] -> tensor<8x4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def MergeLoops : Pass<"mindir-merge-loops"> {
  let summary = "Merges loops over the same tensors into kernels with several results";
  let description = [{
    Two ops whose loops have the same sizes become one with the results of both when the
    second reads a tensor of that size that the first reads or makes: one pass over
    memory less. They may reduce different dimensions. What the second reads of the
    first's results must be the elements of its own iteration; a tensor that nobody else
    reads is then not written at all. Ops between the two that need the first's results
    move behind.

    ```mlir
    %g = linalg.generic ... ins(%x, %y)      // elementwise
    %a = linalg.generic ... ins(%g)          // sum(g)
    %b = linalg.generic ... ins(%g, %x)      // sum(g * x)
    // becomes one op that reads %x and %y once
    %m:3 = linalg.generic ... ins(%x, %y)
    ```

    A kernel gets at most 12 tensors of its domain's size and 64 ops; an op whose body
    does not run on vectors stays alone, since a reduction in it would run on one thread.
    Remarks of category `fusion` say what was merged, and what was not though it would
    save a pass.
  }];
  let statistics = [Statistic<"numMerged", "loops-merged", "Ops merged into another">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def VerifyFusion : Pass<"mindir-verify-fusion"> {
  let summary = "Verifies what the Fusion phase promises";
  let description = [{
    Fails when a loop is not on tensors, or when an op has elementwise and reduced
    results which one nest of loops, shared out to threads, does not compute.
  }];
}

#endif // MINDIR_TRANSFORMS_FUSION_PASSES_TD
