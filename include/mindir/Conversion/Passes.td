//===- Passes.td - conversion passes --------------------------*- tablegen -*-===//
//
// Passes that leave the mindir dialect.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_CONVERSION_PASSES_TD
#define MINDIR_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertMindIRToLinalg : Pass<"convert-mindir-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Rewrites every mindir op as loops on signless tensors";
  let description = [{
    Each op becomes `linalg` and `tensor` ops with a `tensor.empty` init; the order of
    its iterations and the arithmetic of its body are then fixed. Unsigned element
    types become signless, the signedness moves into the arithmetic; tokens become
    `i1` and tapes pointers. f16 and bf16 are computed in f32 and rounded by each op.
    An index that may be out of range is checked beside its op: the check records the
    error through `mindrt_set_error`, the op goes on with a clamped index.

    ```mlir
    %0 = mindir.add %a, %b : tensor<4xui8>
    // becomes
    %1 = tensor.empty() : tensor<4xi8>
    %2 = linalg.generic {...} ins(%a, %b) outs(%1) { arith.addi } -> tensor<4xi8>
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

#endif // MINDIR_CONVERSION_PASSES_TD
