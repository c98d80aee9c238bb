//===- BatchableOpInterface.td - vectorizing map (vmap) rules -*- tablegen -*-===//
//
// One op's batching rule. Structured ops derive theirs; the others write it.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_INTERFACES_BATCHABLEOPINTERFACE_TD
#define MINDIR_INTERFACES_BATCHABLEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def BatchableOpInterface : OpInterface<"BatchableOpInterface"> {
  let cppNamespace = "::mlir::mindir";
  let description = [{
    Builds the op over a new leading dimension of some of its operands. Operand
    `i` has that dimension when `batched[i]`; every result gets it.
  }];
  let methods = [
    InterfaceMethod<
      "Builds the batched op; fills `results`, each with the leading dimension.",
      "::llvm::LogicalResult", "buildBatched",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands,
           "::llvm::ArrayRef<bool>":$batched, "::mlir::OpFoldResult":$size,
           "::llvm::SmallVectorImpl<::mlir::Value> &":$results)>,
  ];
}

#endif // MINDIR_INTERFACES_BATCHABLEOPINTERFACE_TD
