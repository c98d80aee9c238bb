//===- LinearOps.td - matrix products, convolution, pooling -*- tablegen -*-===//
//
// Ops that are linear in each tensor operand, and pooling over windows.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_IR_LINEAROPS_TD
#define MINDIR_IR_LINEAROPS_TD

include "mindir/Dialect/MindIR/IR/MindIRBase.td"

include "mlir/Interfaces/InferTypeOpInterface.td"

def MindIR_MatMulOp : MindIR_InferredOp<"matmul",
    [StructuredOpInterface, PrecisionOpInterface]> {
  let summary = "Product of matrices, batched over equal leading dimensions.";
  let description = [{
    `result[b, i, j] = sum_k lhs[b, i, k] * rhs[b, k, j]`; `transpose_lhs` and
    `transpose_rhs` exchange the last two dimensions of an operand first.

    Constraints:
    - (c1) both operands have the same rank, at least 2, and element type.
    - (c2) leading dimensions are equal.
    - (c3) the contracted sizes are equal.

    ```mlir
    %0 = mindir.matmul %a, %b {transpose_rhs} : tensor<8x4xf32>, tensor<3x4xf32> -> tensor<8x3xf32>
    ```
  }];
  let arguments = (ins MindIR_NumericTensor:$lhs, MindIR_NumericTensor:$rhs,
                       UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs);
  let results = (outs MindIR_NumericTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::utils::IteratorType> getIteratorTypes();
    ::llvm::SmallVector<::mlir::AffineMap> getStructuredIndexingMaps();
    ::mlir::mindir::PrecisionCategory getPrecisionCategory() {
      return ::mlir::mindir::PrecisionCategory::Low;
    }
  }];
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

/// Attributes of a two-dimensional window. `padding` is [top, bottom, left,
/// right]; `strides` and `dilations` are [height, width].
defvar MindIR_ConvAttrs = (ins
  DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding,
  DenseI64ArrayAttr:$dilations,
  DefaultValuedAttr<I64Attr, "1">:$groups,
  DefaultValuedAttr<MindIR_ImageLayoutAttr, "::mlir::mindir::ImageLayout::nchw">:$layout);

def MindIR_Conv2DOp : MindIR_InferredOp<"conv2d", [PrecisionOpInterface]> {
  let summary = "Two-dimensional convolution (cross-correlation) with groups.";
  let description = [{
    `result[n, o, y, x] = sum_{c, i, j} input[n, g(o) + c, y * sh + i * dh - top,
    x * sw + j * dw - left] * weight[o, c, i, j]`, without the terms outside of the
    input. The weight is always [output channels, input channels / groups, height, width];
    `layout` is that of input and result.

    Constraints:
    - (c1) input and weight have rank 4 and the same element type.
    - (c2) strides and dilations have two entries of at least 1, padding four of at least 0.
    - (c3) groups divide the input channels and the output channels.
    - (c4) weight.shape[1] * groups equals the input channels.
    - (c5) the dilated kernel is not larger than the padded input.
  }];
  let arguments = !con((ins MindIR_FloatTensor:$input, MindIR_FloatTensor:$weight),
                       MindIR_ConvAttrs);
  let results = (outs MindIR_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $weight attr-dict `:` type($input) `,` type($weight) `->` type($result)
  }];
  let extraClassDeclaration = [{
    ::mlir::mindir::PrecisionCategory getPrecisionCategory() {
      return ::mlir::mindir::PrecisionCategory::Low;
    }
  }];
}

def MindIR_Conv2DInputGradOp : MindIR_ShapedOp<"conv2d_input_grad", [PrecisionOpInterface]> {
  let summary = "Cotangent of conv2d's input; also the transposed convolution.";
  let description = [{
    The linear map that is transposed to `conv2d` in its input: given the cotangent
    of the result and the weight, the cotangent of the input, whose shape is the
    result type (with `dynamic_sizes` for its unknown sizes).

    Constraints:
    - (c1) conv2d of the result and the weight would have the type of `cotangent`.
    - (c2) dynamic_sizes has one entry for each `?` of the result type.
  }];
  let arguments = !con((ins MindIR_FloatTensor:$cotangent, MindIR_FloatTensor:$weight,
                            Variadic<Index>:$dynamic_sizes), MindIR_ConvAttrs);
  let results = (outs MindIR_FloatTensor:$result);
  let assemblyFormat = [{
    $cotangent `,` $weight (`sizes` `(` $dynamic_sizes^ `)`)? attr-dict
    `:` type($cotangent) `,` type($weight) `->` type($result)
  }];
  let extraClassDeclaration = [{
    ::mlir::mindir::PrecisionCategory getPrecisionCategory() {
      return ::mlir::mindir::PrecisionCategory::Low;
    }
  }];
}

def MindIR_Conv2DWeightGradOp : MindIR_ShapedOp<"conv2d_weight_grad", [PrecisionOpInterface]> {
  let summary = "Cotangent of conv2d's weight.";
  let description = [{
    The linear map that is transposed to `conv2d` in its weight.

    Constraints:
    - (c1) conv2d of the input and the result would have the type of `cotangent`.
    - (c2) dynamic_sizes has one entry for each `?` of the result type.
  }];
  let arguments = !con((ins MindIR_FloatTensor:$input, MindIR_FloatTensor:$cotangent,
                            Variadic<Index>:$dynamic_sizes), MindIR_ConvAttrs);
  let results = (outs MindIR_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $cotangent (`sizes` `(` $dynamic_sizes^ `)`)? attr-dict
    `:` type($input) `,` type($cotangent) `->` type($result)
  }];
  let extraClassDeclaration = [{
    ::mlir::mindir::PrecisionCategory getPrecisionCategory() {
      return ::mlir::mindir::PrecisionCategory::Low;
    }
  }];
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

/// Attributes of a pooling window: `window` and `strides` are [height, width],
/// `padding` is [top, bottom, left, right].
defvar MindIR_PoolAttrs = (ins
  DenseI64ArrayAttr:$window, DenseI64ArrayAttr:$strides,
  DenseI64ArrayAttr:$padding,
  DefaultValuedAttr<MindIR_ImageLayoutAttr, "::mlir::mindir::ImageLayout::nchw">:$layout);

def MindIR_MaxPool2DOp : MindIR_InferredOp<"max_pool2d"> {
  let summary = "Maximum over each window, and where it stood.";
  let description = [{
    `indices` holds the position in the image, `y * width + x`, of the first
    maximum of each window (a NaN counts as the maximum); padding never wins.

    Constraints:
    - (c1) input has rank 4.
    - (c2) window and strides have two entries of at least 1, padding four of at least 0.
    - (c3) padding is less than the window, so that no window lies outside.
    - (c4) the window is not larger than the padded input.
  }];
  let arguments = !con((ins MindIR_NumericTensor:$input), MindIR_PoolAttrs);
  let results = (outs MindIR_NumericTensor:$result, RankedTensorOf<[I64]>:$indices);
  let assemblyFormat = [{
    $input attr-dict `:` type($input) `->` type($result) `,` type($indices)
  }];
}

def MindIR_PoolGatherOp : MindIR_InferredOp<"pool_gather"> {
  let summary = "Takes from each image plane the elements at pooled positions.";
  let description = [{
    `result[n, c, y, x] = input[n, c][indices[n, c, y, x]]`: linear in `input`, the
    derivative of `max_pool2d`.

    Constraints:
    - (c1) input and indices have rank 4, equal batch and channels.
  }];
  let arguments = (ins MindIR_NumericTensor:$input, RankedTensorOf<[I64]>:$indices,
    DefaultValuedAttr<MindIR_ImageLayoutAttr, "::mlir::mindir::ImageLayout::nchw">:$layout);
  let results = (outs MindIR_NumericTensor:$result);
  let assemblyFormat = [{
    $input `,` $indices attr-dict `:` type($input) `,` type($indices) `->` type($result)
  }];
}

def MindIR_PoolScatterOp : MindIR_ShapedOp<"pool_scatter"> {
  let summary = "Adds each pooled element to its position of an image plane of zeros.";
  let description = [{
    The transpose of `pool_gather`: `result[n, c][indices[n, c, y, x]] +=
    input[n, c, y, x]`.

    Constraints:
    - (c1) pool_gather of the result by the indices would have the type of the input.
    - (c2) dynamic_sizes has one entry for each `?` of the result type.
  }];
  let arguments = (ins MindIR_NumericTensor:$input, RankedTensorOf<[I64]>:$indices,
    Variadic<Index>:$dynamic_sizes,
    DefaultValuedAttr<MindIR_ImageLayoutAttr, "::mlir::mindir::ImageLayout::nchw">:$layout);
  let results = (outs MindIR_NumericTensor:$result);
  let assemblyFormat = [{
    $input `,` $indices (`sizes` `(` $dynamic_sizes^ `)`)? attr-dict
    `:` type($input) `,` type($indices) `->` type($result)
  }];
}

def MindIR_AvgPool2DOp : MindIR_InferredOp<"avg_pool2d"> {
  let summary = "Mean over each window.";
  let description = [{
    The divisor is the window's size with `count_include_pad`, else the number of
    elements inside the image.

    Constraints: those of `max_pool2d`.
  }];
  let arguments = !con((ins MindIR_FloatTensor:$input), MindIR_PoolAttrs,
                       (ins UnitAttr:$count_include_pad));
  let results = (outs MindIR_FloatTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
}

def MindIR_AvgPool2DGradOp : MindIR_ShapedOp<"avg_pool2d_grad"> {
  let summary = "Cotangent of avg_pool2d's input.";
  let description = [{
    The transpose of `avg_pool2d`.

    Constraints:
    - (c1) avg_pool2d of the result would have the type of the cotangent.
    - (c2) dynamic_sizes has one entry for each `?` of the result type.
  }];
  let arguments = !con((ins MindIR_FloatTensor:$cotangent,
                            Variadic<Index>:$dynamic_sizes), MindIR_PoolAttrs,
                       (ins UnitAttr:$count_include_pad));
  let results = (outs MindIR_FloatTensor:$result);
  let assemblyFormat = [{
    $cotangent (`sizes` `(` $dynamic_sizes^ `)`)? attr-dict
    `:` type($cotangent) `->` type($result)
  }];
}

#endif // MINDIR_IR_LINEAROPS_TD
