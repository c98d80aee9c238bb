//===- StructuredOpInterface.td - loops and indexing maps -----*- tablegen -*-===//
//
// An op that is a perfect loop nest says so once, by iterator types and indexing
// maps. Batching, sharding, tiling and fusion derive from this description.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_INTERFACES_STRUCTUREDOPINTERFACE_TD
#define MINDIR_INTERFACES_STRUCTUREDOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def StructuredOpInterface : OpInterface<"StructuredOpInterface"> {
  let cppNamespace = "::mlir::mindir";
  let description = [{
    Describes an op as one loop nest over its operands and results. The maps are
    ordered: every tensor operand, then every result; their domain is the loops.
  }];
  let methods = [
    InterfaceMethod<
      "Returns the kind of each loop (parallel or reduction), outermost first.",
      "::llvm::SmallVector<::mlir::utils::IteratorType>", "getIteratorTypes">,
    InterfaceMethod<
      "Returns one map per tensor operand, then one per result.",
      "::llvm::SmallVector<::mlir::AffineMap>", "getStructuredIndexingMaps">,
  ];
}

#endif // MINDIR_INTERFACES_STRUCTUREDOPINTERFACE_TD
