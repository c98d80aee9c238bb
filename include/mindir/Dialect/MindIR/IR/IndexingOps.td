//===- IndexingOps.td - indexing by tensors -*- tablegen -*-===//
//
// Ops whose element positions come from index tensors.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_IR_INDEXINGOPS_TD
#define MINDIR_IR_INDEXINGOPS_TD

include "mindir/Dialect/MindIR/IR/MindIRBase.td"

def MindIR_IotaOp : MindIR_ShapedOp<"iota"> {
  let summary = "Counts 0, 1, 2 ... along an axis.";
  let without = !listconcat([MindIR_GivenType], MindIR_NoOperands);
  let description = [{
    `result[i0, ..] = i_axis`, as the element type.

    Constraints:
    - (c1) axis lies in [0, rank).
    - (c2) dynamic_sizes has one entry for each `?` of the result type.
  }];
  let arguments = (ins Variadic<Index>:$dynamic_sizes, I64Attr:$axis);
  let results = (outs MindIR_NumericTensor:$result);
  let assemblyFormat = [{
    `axis` `=` $axis (`sizes` `(` $dynamic_sizes^ `)`)? attr-dict `:` type($result)
  }];
}

def MindIR_OneHotOp : MindIR_InferredOp<"one_hot"> {
  let summary = "A new last dimension that marks each index by one.";
  let without = MindIR_OnIntegers;
  let description = [{
    `result[.., j] = (indices[..] == j)`, as `element_type`; an index out of
    [0, depth) marks nothing.

    Constraints:
    - (c1) depth is not negative.
  }];
  let arguments = (ins MindIR_IndexTensor:$indices, I64Attr:$depth, TypeAttr:$element_type);
  let results = (outs MindIR_Tensor:$result);
  let assemblyFormat = [{
    $indices `depth` `=` $depth attr-dict `:` type($indices) `->` type($result)
    `as` $element_type
  }];
}

def MindIR_GatherOp : MindIR_InferredOp<"gather"> {
  let summary = "Takes slices along an axis by an index tensor.";
  let description = [{
    `result[a.., i.., b..] = input[a.., indices[i..], b..]`, the indices' dimensions
    replacing `axis` (numpy's `take`). Negative indices count from the end; others
    out of range are an IndexError when run.

    Constraints:
    - (c1) axis lies in [0, rank).
  }];
  let arguments = (ins MindIR_Tensor:$input, MindIR_IndexTensor:$indices, I64Attr:$axis);
  let results = (outs MindIR_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $indices `axis` `=` $axis attr-dict
    `:` type($input) `,` type($indices) `->` type($result)
  }];
}

def MindIR_ScatterAddOp : MindIR_PureOp<"scatter_add",
    [AllTypesMatch<["input", "result"]>]> {
  let summary = "Adds slices along an axis at the places an index tensor names.";
  let description = [{
    `result = input; result[a.., indices[i..], b..] += updates[a.., i.., b..]`, in
    row-major order of the updates, so that duplicates add up. The transpose of
    `gather` in its updates.

    Constraints:
    - (c1) gather of the input by the indices would have the type of the updates.
  }];
  let arguments = (ins MindIR_NumericTensor:$input, MindIR_IndexTensor:$indices,
                       MindIR_NumericTensor:$updates, I64Attr:$axis);
  let results = (outs MindIR_NumericTensor:$result);
  let assemblyFormat = [{
    $input `,` $indices `,` $updates `axis` `=` $axis attr-dict
    `:` type($input) `,` type($indices) `,` type($updates)
  }];
  let hasVerifier = 1;
}

#endif // MINDIR_IR_INDEXINGOPS_TD
