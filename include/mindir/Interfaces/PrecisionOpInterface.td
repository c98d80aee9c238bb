//===- PrecisionOpInterface.td - autocast categories ----------*- tablegen -*-===//
//
// Which precision an op tolerates; the mixed-precision policies read it.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_INTERFACES_PRECISIONOPINTERFACE_TD
#define MINDIR_INTERFACES_PRECISIONOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def PrecisionOpInterface : OpInterface<"PrecisionOpInterface"> {
  let cppNamespace = "::mlir::mindir";
  let description = [{
    States the category by which an autocast policy chooses an op's dtype:
    `Low` ops gain from a low precision and accumulate wide, `Full` ops need f32,
    `Follow` ops take the widest dtype of their operands.
  }];
  let methods = [
    InterfaceMethod<
      "Returns the op's category.",
      "::mlir::mindir::PrecisionCategory", "getPrecisionCategory", (ins), [{}],
      /*defaultImplementation=*/[{ return PrecisionCategory::Follow; }]>,
  ];
}

#endif // MINDIR_INTERFACES_PRECISIONOPINTERFACE_TD
