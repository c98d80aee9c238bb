//===- ReductionOps.td - reductions -*- tablegen -*-===//
//
// Ops that combine the elements along axes.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_IR_REDUCTIONOPS_TD
#define MINDIR_IR_REDUCTIONOPS_TD

include "mindir/Dialect/MindIR/IR/MindIRBase.td"

class MindIR_ReductionOp<string mnemonic, string name, Type tensor, string summaryText>
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
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::utils::IteratorType> getIteratorTypes();
    ::llvm::SmallVector<::mlir::AffineMap> getStructuredIndexingMaps();
    ::mlir::mindir::PrecisionCategory getPrecisionCategory() {
      return ::mlir::mindir::PrecisionCategory::Full;
    }
  }];
  let extraClassDefinition = inferredOpDefinition # [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, std::optional<::mlir::Location> location,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &inferred) {
      return inferReduction(location, "}] # name # [{", adaptor, inferred);
    }
    ::llvm::SmallVector<::mlir::utils::IteratorType> $cppClass::getIteratorTypes() {
      return getReductionIterators(*this);
    }
    ::llvm::SmallVector<::mlir::AffineMap> $cppClass::getStructuredIndexingMaps() {
      return getReductionMaps(*this);
    }
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor) { return foldReduction(*this); }
  }];
  let hasFolder = 1;
}

def MindIR_ReduceSumOp : MindIR_ReductionOp<"reduce_sum", "ReduceSum", MindIR_NumericTensor,
    "Sum along axes; zero of no elements.">;
def MindIR_ReduceProdOp : MindIR_ReductionOp<"reduce_prod", "ReduceProd", MindIR_NumericTensor,
    "Product along axes; one of no elements.">;
def MindIR_ReduceMaxOp : MindIR_ReductionOp<"reduce_max", "ReduceMax", MindIR_Tensor,
    "Maximum along axes (any, of bool); NaN if one is; least value of no elements.">;
def MindIR_ReduceMinOp : MindIR_ReductionOp<"reduce_min", "ReduceMin", MindIR_Tensor,
    "Minimum along axes (all, of bool); NaN if one is; greatest value of no elements.">;

class MindIR_ArgReductionOp<string mnemonic, string name, string summaryText>
    : MindIR_InferredOp<mnemonic> {
  let summary = summaryText;
  let extraClassDefinition = inferredOpDefinition # [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, std::optional<::mlir::Location> location,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &inferred) {
      return inferArgReduction(location, "}] # name # [{", adaptor, inferred);
    }
  }];
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
  let without = MindIR_ToIntegers;
}

def MindIR_ArgMaxOp : MindIR_ArgReductionOp<"argmax", "Argmax",
    "Index of the maximum along an axis.">;
def MindIR_ArgMinOp : MindIR_ArgReductionOp<"argmin", "Argmin",
    "Index of the minimum along an axis.">;

#endif // MINDIR_IR_REDUCTIONOPS_TD
