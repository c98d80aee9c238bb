//===- MovementOps.td - movement of elements -*- tablegen -*-===//
//
// Ops that move elements without computing on them.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_IR_MOVEMENTOPS_TD
#define MINDIR_IR_MOVEMENTOPS_TD

include "mindir/Dialect/MindIR/IR/MindIRBase.td"

def MindIR_ReshapeOp : MindIR_ShapedOp<"reshape"> {
  let summary = "The same elements, in row-major order, under another shape.";
  let description = [{
    Constraints:
    - (c1) the numbers of elements are equal where they are known.
    - (c2) dynamic_sizes has one entry for each `?` of the result type.
    - (c3) the element type stays.
  }];
  let arguments = (ins MindIR_Tensor:$input, Variadic<Index>:$dynamic_sizes);
  let results = (outs MindIR_Tensor:$result);
  let assemblyFormat = [{
    $input (`sizes` `(` $dynamic_sizes^ `)`)? attr-dict `:` type($input) `->` type($result)
  }];
  let hasFolder = 1;
}

def MindIR_BroadcastToOp : MindIR_ShapedOp<"broadcast_to", [StructuredOpInterface]> {
  let summary = "Repeats along new leading dimensions and dimensions of size one.";
  let description = [{
    Numpy's rule: dimensions are aligned at the last one.

    Constraints:
    - (c1) each aligned input size equals the result's, or is one.
    - (c2) dynamic_sizes has one entry for each `?` of the result type.
    - (c3) the element type stays; the result's rank is at least the input's.
    - (c4) an input size `?` equals the result's (one is stated, not found at run time).
  }];
  let arguments = (ins MindIR_Tensor:$input, Variadic<Index>:$dynamic_sizes);
  let results = (outs MindIR_Tensor:$result);
  let assemblyFormat = [{
    $input (`sizes` `(` $dynamic_sizes^ `)`)? attr-dict `:` type($input) `->` type($result)
  }];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::utils::IteratorType> getIteratorTypes() {
      return ::mlir::mindir::getElementwiseIteratorTypes(getOperation());
    }
    ::llvm::SmallVector<::mlir::AffineMap> getStructuredIndexingMaps();
  }];
  let hasFolder = 1;
}

def MindIR_TransposeOp : MindIR_InferredOp<"transpose", [StructuredOpInterface]> {
  let summary = "Permutes the dimensions.";
  let description = [{
    `result.shape[i] = input.shape[permutation[i]]`.

    Constraints:
    - (c1) permutation is one of 0 .. rank - 1.
  }];
  let arguments = (ins MindIR_Tensor:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs MindIR_Tensor:$result);
  let assemblyFormat = [{
    $input `permutation` `=` $permutation attr-dict `:` type($input) `->` type($result)
  }];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::utils::IteratorType> getIteratorTypes() {
      return ::mlir::mindir::getElementwiseIteratorTypes(getOperation());
    }
    ::llvm::SmallVector<::mlir::AffineMap> getStructuredIndexingMaps();
  }];
  let hasFolder = 1;
}

def MindIR_SliceOp : MindIR_InferredOp<"slice"> {
  let summary = "Every stride-th element of a range of each dimension.";
  let description = [{
    Dimension `i` runs from `starts[i]` to before `limits[i]` by `strides[i]`. A
    limit that is `end` (the least i64) stands for the dimension's size.

    Constraints:
    - (c1) starts, limits and strides have one entry per dimension.
    - (c2) strides are at least 1.
    - (c3) 0 <= start <= limit <= size where the size is known.
  }];
  let arguments = (ins MindIR_Tensor:$input, DenseI64ArrayAttr:$starts,
                       DenseI64ArrayAttr:$limits, DenseI64ArrayAttr:$strides);
  let results = (outs MindIR_Tensor:$result);
  let assemblyFormat = [{
    $input `starts` `=` $starts `limits` `=` $limits `strides` `=` $strides attr-dict
    `:` type($input) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// The limit that stands for the dimension's size.
    static constexpr int64_t kEnd = ::mlir::ShapedType::kDynamic;
  }];
  let hasFolder = 1;
}

def MindIR_ReverseOp : MindIR_PureOp<"reverse", [SameOperandsAndResultType]> {
  let summary = "Reverses the order along axes.";
  let description = [{
    Constraints:
    - (c1) axes are distinct and lie in [0, rank).
  }];
  let arguments = (ins MindIR_Tensor:$input, DenseI64ArrayAttr:$axes);
  let results = (outs MindIR_Tensor:$result);
  let assemblyFormat = "$input `axes` `=` $axes attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def MindIR_PadOp : MindIR_InferredOp<"pad"> {
  let summary = "Adds a constant value around, and between, the elements.";
  let description = [{
    Along dimension `i`: `low[i]` values before, `high[i]` after, `interior[i]`
    between each two elements.

    Constraints:
    - (c1) low, high and interior have one entry per dimension, none negative.
    - (c2) value is of rank 0 and the input's element type.
  }];
  let arguments = (ins MindIR_Tensor:$input, MindIR_Tensor:$value,
                       DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high,
                       DenseI64ArrayAttr:$interior);
  let results = (outs MindIR_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $value `low` `=` $low `high` `=` $high `interior` `=` $interior attr-dict
    `:` type($input) `,` type($value) `->` type($result)
  }];
}

def MindIR_ConcatOp : MindIR_InferredOp<"concat"> {
  let summary = "Joins tensors along an axis.";
  let description = [{
    Constraints:
    - (c1) there is at least one input, and axis lies in [0, rank).
    - (c2) the inputs have one rank and element type, and equal sizes off the axis.
  }];
  let arguments = (ins Variadic<MindIR_Tensor>:$inputs, I64Attr:$axis);
  let results = (outs MindIR_Tensor:$result);
  let assemblyFormat = [{
    $inputs `axis` `=` $axis attr-dict `:` type($inputs) `->` type($result)
  }];
}

def MindIR_DynamicSliceOp : MindIR_ShapedOp<"dynamic_slice", [AttrSizedOperandSegments]> {
  let summary = "A block that starts at indices known when run.";
  let description = [{
    `result[j] = input[starts + j]`; a block that does not lie inside the input is
    an IndexError when run.

    Constraints:
    - (c1) there is one start per dimension.
    - (c2) dynamic_sizes has one entry for each `?` of the result type.
    - (c3) rank and element type stay; no size exceeds the input's where both are known.
  }];
  let arguments = (ins MindIR_Tensor:$input, Variadic<MindIR_Position>:$starts,
                       Variadic<Index>:$dynamic_sizes);
  let results = (outs MindIR_Tensor:$result);
  let assemblyFormat = [{
    $input `[` $starts `]` (`sizes` `(` $dynamic_sizes^ `)`)? attr-dict
    `:` type($input) `->` type($result)
  }];
}

def MindIR_DynamicUpdateSliceOp : MindIR_PureOp<"dynamic_update_slice",
    [AllTypesMatch<["input", "result"]>]> {
  let summary = "The input with a block replaced, at indices known when run.";
  let description = [{
    `result[starts + j] = update[j]`, elsewhere the input; a block that does not lie
    inside the input is an IndexError when run.

    Constraints:
    - (c1) there is one start per dimension.
    - (c2) rank and element type of update are the input's; no size exceeds the
      input's where both are known.
  }];
  let arguments = (ins MindIR_Tensor:$input, MindIR_Tensor:$update,
                       Variadic<MindIR_Position>:$starts);
  let results = (outs MindIR_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $update `[` $starts `]` attr-dict `:` type($input) `,` type($update)
  }];
  let hasVerifier = 1;
}

#endif // MINDIR_IR_MOVEMENTOPS_TD
