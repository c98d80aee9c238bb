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
    broadcast, a transpose, an op or two on one tensor), into each. The consumer may
    reduce, so that `sum(exp(x))` is one kernel. A kernel with more operands than the
    processor streams well is not made. Remarks of category `fusion` say of each
    producer why it was fused or not.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"
  ];
}

#endif // MINDIR_TRANSFORMS_FUSION_PASSES_TD
