//===- MindIREnums.td - enumerations of the mindir dialect ----*- tablegen -*-===//
//
// Enumerations that ops carry as attributes.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_IR_MINDIRENUMS_TD
#define MINDIR_IR_MINDIRENUMS_TD

include "mindir/Dialect/MindIR/IR/MindIRDialect.td"
include "mlir/IR/EnumAttr.td"

class MindIR_EnumAttr<EnumInfo info, string attrMnemonic>
    : EnumAttr<MindIR_Dialect, info, attrMnemonic> {
  let assemblyFormat = "$value";
}

def MindIR_ComparePredicate : I32Enum<"ComparePredicate", "order or equality test",
    [I32EnumCase<"eq", 0>, I32EnumCase<"ne", 1>, I32EnumCase<"lt", 2>,
     I32EnumCase<"le", 3>, I32EnumCase<"gt", 4>, I32EnumCase<"ge", 5>]> {
  let cppNamespace = "::mlir::mindir";
}
def MindIR_ComparePredicateAttr
    : MindIR_EnumAttr<MindIR_ComparePredicate, "predicate">;

def MindIR_ImageLayout : I32Enum<"ImageLayout", "order of an image batch's dimensions",
    [I32EnumCase<"nchw", 0>, I32EnumCase<"nhwc", 1>]> {
  let cppNamespace = "::mlir::mindir";
}
def MindIR_ImageLayoutAttr : MindIR_EnumAttr<MindIR_ImageLayout, "layout">;

def MindIR_ReduceKind : I32Enum<"ReduceKind", "associative combination",
    [I32EnumCase<"sum", 0>, I32EnumCase<"prod", 1>, I32EnumCase<"max", 2>,
     I32EnumCase<"min", 3>]> {
  let cppNamespace = "::mlir::mindir";
}
def MindIR_ReduceKindAttr : MindIR_EnumAttr<MindIR_ReduceKind, "reduce_kind">;

#endif // MINDIR_IR_MINDIRENUMS_TD
