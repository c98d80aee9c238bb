//===- DifferentiableOpInterface.td - VJP and JVP rules -------*- tablegen -*-===//
//
// One op's derivative. Rules stand beside their family in
// lib/Transforms/AutoDiff/Rules and are attached as external models.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_INTERFACES_DIFFERENTIABLEOPINTERFACE_TD
#define MINDIR_INTERFACES_DIFFERENTIABLEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::mlir::mindir";
  let description = [{
    The derivative of one op. The VJP maps result cotangents to operand
    cotangents; the JVP maps operand tangents to result tangents. A rule reads
    primal values only through its context, so that only what it reads becomes a
    residual.
  }];
  let methods = [
    InterfaceMethod<
      "Builds the operand cotangents from the result cotangents.",
      "::llvm::LogicalResult", "buildVJP",
      (ins "::mlir::mindir::VJPContext &":$ctx)>,
    InterfaceMethod<
      "Builds the result tangents from the operand tangents.",
      "::llvm::LogicalResult", "buildJVP",
      (ins "::mlir::mindir::JVPContext &":$ctx)>,
  ];
}

#endif // MINDIR_INTERFACES_DIFFERENTIABLEOPINTERFACE_TD
