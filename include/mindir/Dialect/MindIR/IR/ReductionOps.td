//===- ReductionOps.td - reductions -*- tablegen -*-===//
//
// Ops that combine the elements along axes.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_IR_REDUCTIONOPS_TD
#define MINDIR_IR_REDUCTIONOPS_TD

include "mindir/Dialect/MindIR/IR/MindIRBase.td"

class MindIR_ReductionOp<string mnemonic, Type tensor, string summaryText>
    : MindIR_InferredOp<mnemonic, [StructuredOpInterface, PrecisionOpInterface]> {
  let summary = summaryText;
  let description = [{
    Combines along `axes` (distinct, in range; none means no axis is reduced).
    With `keep_dims` the reduced dimensions stay with size one.

    Constraints:
    - (c1) each axis lies in [0, rank).
    - (c2) axes are strictly increasing.
  }];
  let arguments = (ins tensor:$input, DenseI64ArrayAttr:$axes, UnitAttr:$keep_dims);
  let results = (outs tensor:$result);
  let assemblyFormat = [{
    $input `axes` `=` $axes (`keep_dims` $keep_dims^)? attr-dict
    `:` type($input) `->` type($result)
  }];
  let extraClassDeclaration = inferredOpDeclaration # [{
    ::llvm::SmallVector<::mlir::utils::IteratorType> getIteratorTypes();
    ::llvm::SmallVector<::mlir::AffineMap> getStructuredIndexingMaps();
    ::mlir::mindir::PrecisionCategory getPrecisionCategory() {
      return ::mlir::mindir::PrecisionCategory::Full;
    }
  }];
  let hasFolder = 1;
}

def MindIR_ReduceSumOp : MindIR_ReductionOp<"reduce_sum", MindIR_NumericTensor,
    "Sum along axes; zero of no elements.">;
def MindIR_ReduceProdOp : MindIR_ReductionOp<"reduce_prod", MindIR_NumericTensor,
    "Product along axes; one of no elements.">;
def MindIR_ReduceMaxOp : MindIR_ReductionOp<"reduce_max", MindIR_Tensor,
    "Maximum along axes (any, of bool); NaN if one is; least value of no elements.">;
def MindIR_ReduceMinOp : MindIR_ReductionOp<"reduce_min", MindIR_Tensor,
    "Minimum along axes (all, of bool); NaN if one is; greatest value of no elements.">;

class MindIR_ArgReductionOp<string mnemonic, string summaryText>
    : MindIR_InferredOp<mnemonic> {
  let summary = summaryText;
  let description = [{
    Gives the first index along `axis`, counting a NaN as the extreme.

    Constraints:
    - (c1) axis lies in [0, rank).
    - (c2) the axis is not of size zero.
  }];
  let arguments = (ins MindIR_Tensor:$input, I64Attr:$axis);
  let results = (outs RankedTensorOf<[I64]>:$result);
  let assemblyFormat = [{
    $input `axis` `=` $axis attr-dict `:` type($input) `->` type($result)
  }];
}

def MindIR_ArgMaxOp : MindIR_ArgReductionOp<"argmax",
    "Index of the maximum along an axis.">;
def MindIR_ArgMinOp : MindIR_ArgReductionOp<"argmin",
    "Index of the minimum along an axis.">;

#endif // MINDIR_IR_REDUCTIONOPS_TD
