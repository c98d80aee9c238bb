//===- LayoutOpInterface.td - ops on permuted images ----------*- tablegen -*-===//
//
// One op's layout rule. Rules stand beside their family in
// lib/Transforms/Layout/Rules and are attached as external models.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_INTERFACES_LAYOUTOPINTERFACE_TD
#define MINDIR_INTERFACES_LAYOUTOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def LayoutOpInterface : OpInterface<"LayoutOpInterface"> {
  let cppNamespace = "::mlir::mindir";
  let description = [{
    How an op is written when the dimensions of the images that it takes and gives
    lie in another order. A value is transposed by a permutation when its dimension
    `i` is dimension `permutation[i]` of the natural value. Ops without the interface
    keep the natural order.
  }];
  let methods = [
    InterfaceMethod<
      [{Whether the op must be transposed from channels-first to channels-last: it
      is slow otherwise.}],
      "bool", "wantsChannelsLast", (ins), [{}],
      /*defaultImplementation=*/[{ return false; }]>,
    InterfaceMethod<
      [{Returns which operands and results are transposed with the op, by a
      permutation of `rank` dimensions: all of them or none. Others keep their order.}],
      "::mlir::mindir::LayoutCarriers", "getLayoutCarriers", (ins "int64_t":$rank)>,
    InterfaceMethod<
      [{Builds the op with its carriers transposed: `operands` are the op's, those that
      carry transposed already. Fills `results`, one for each of the op's.}],
      "void", "buildTransposed",
      (ins "::mlir::OpBuilder &":$builder, "::llvm::ArrayRef<int64_t>":$permutation,
           "::mlir::ValueRange":$operands,
           "::llvm::SmallVectorImpl<::mlir::Value> &":$results)>,
  ];
}

#endif // MINDIR_INTERFACES_LAYOUTOPINTERFACE_TD
