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
    An index that may be out of range, and sizes that types do not know, are checked
    before the op: `mindrt_fail` ends the run.

    f32 matrix products and convolutions become `mindir.library_call` when a library is
    named in `libraries`; the others, small products, and those that reduce over nothing
    are loops.

    ```mlir
    %0 = mindir.add %a, %b : tensor<4xui8>
    // becomes
    %1 = tensor.empty() : tensor<4xi8>
    %2 = linalg.generic {...} ins(%a, %b) outs(%1) { arith.addi } -> tensor<4xi8>
    ```
  }];
  let options = [
    ListOption<"libraries", "libraries", "std::string",
               "Libraries to call where they have the operation, as `onednn`">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def ConvertMindIRToLibrary : Pass<"convert-mindir-to-library", "::mlir::ModuleOp"> {
  let summary = "Calls the runtime's library registry for library calls on buffers";
  let description = [{
    Each `mindir.library_call` on buffers becomes a call of `mindrt_library_call`,
    with descriptors of its operands, strides included, and its config on the stack.
    An error that the library reports is the running call's; the code goes on.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect"
  ];
}

def ConvertShardToMindIR : Pass<"convert-shard-to-mindir", "::mlir::ModuleOp"> {
  let summary = "Rewrites the collectives of a partitioned module as mindir's";
  let description = [{
    `shard.all_reduce`, `all_gather`, `all_slice`, `all_to_all` and `reduce_scatter` become
    the mindir op of the same name; what is left of the shard dialect, the grid aside, is
    an error that names it.

    ```mlir
    %0 = shard.all_reduce %x on @grid grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
    // becomes
    %1 = mindir.all_reduce sum, %x on @grid axes = [0] : tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::mindir::MindIRDialect"];
}

#endif // MINDIR_CONVERSION_PASSES_TD
