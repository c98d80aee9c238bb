//===- MindIRDialect.td - the mindir dialect ------------------*- tablegen -*-===//
//
// The dialect itself.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_IR_MINDIRDIALECT_TD
#define MINDIR_IR_MINDIRDIALECT_TD

include "mlir/IR/DialectBase.td"

def MindIR_Dialect : Dialect {
  let name = "mindir";
  let cppNamespace = "::mlir::mindir";
  let summary = "Deep-learning graphs on tensors, in pure SSA form.";
  let description = [{
    Primitive operations on ranked tensors from which MindSpore's operator
    surface is composed. Values follow numpy. Elementwise ops take equal types:
    promotion and broadcasting are the explicit ops `cast` and `broadcast_to`.
    Control flow is upstream `scf` and `func`; a mutated Parameter is an argument
    and a result of its function.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
  let hasConstantMaterializer = 1;
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let discardableAttrs = (ins
    "::mlir::UnitAttr":$parameter,
    "::mlir::UnitAttr":$donated,
    "::mlir::IntegerAttr":$updates
  );
}

#endif // MINDIR_IR_MINDIRDIALECT_TD
