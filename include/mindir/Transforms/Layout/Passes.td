//===- Passes.td - passes of the Layout phase -----------------*- tablegen -*-===//
//
// Passes that choose the order in which dimensions lie in memory.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_TRANSFORMS_LAYOUT_PASSES_TD
#define MINDIR_TRANSFORMS_LAYOUT_PASSES_TD

include "mlir/Pass/PassBase.td"

def AssignLayouts : Pass<"mindir-assign-layouts", "::mlir::ModuleOp"> {
  let summary = "Puts images channels-last where convolutions are, with least transposing";
  let description = [{
    Convolutions on channels-first images are slow on CPUs: the library packs the image
    anew in each call. This pass makes every convolution, and each of its gradients,
    channels-last, and decides for each other op whether it works on images as they were
    written or transposed: so that the bytes that transposes move are least (a minimum
    cut; docs/Rationale/Layout.md has the costs). Transposes stay where a chain of ops on
    images begins and ends. Values carried by `scf`, and those passed to and returned from private
    functions that are only called, take part. A module without a channels-first
    convolution is left alone. What an op is when transposed is its
    `LayoutOpInterface`.

    ```mlir
    %0 = mindir.conv2d %x, %w {...} : tensor<8x16x32x32xf32>, ...
    %1 = mindir.relu %0 : tensor<8x16x32x32xf32>
    // becomes
    %t = mindir.transpose %x permutation = [0, 2, 3, 1] : ...
    %0 = mindir.conv2d %t, %w {..., layout = #mindir<layout nhwc>} : tensor<8x32x32x16xf32>, ...
    %1 = mindir.relu %0 : tensor<8x32x32x16xf32>
    %2 = mindir.transpose %1 permutation = [0, 3, 1, 2] : ...
    ```

    Remarks of category `layout` say of each transpose which value it moves, and how many
    bytes.
  }];
  let dependentDialects = ["::mlir::mindir::MindIRDialect", "::mlir::tensor::TensorDialect"];
}

def VerifyLayouts : Pass<"mindir-verify-layouts"> {
  let summary = "Checks that no convolution is channels-first and no transpose is undone";
  let description = [{
    The contract of the Layout phase: no op is left whose `LayoutOpInterface` wants
    channels-last, and no `mindir.transpose` takes the result of another.
  }];
}

#endif // MINDIR_TRANSFORMS_LAYOUT_PASSES_TD
