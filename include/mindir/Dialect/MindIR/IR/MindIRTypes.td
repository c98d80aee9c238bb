//===- MindIRTypes.td - types of the mindir dialect -----------*- tablegen -*-===//
//
// What builtin tensors cannot express: order of effects and autodiff tapes.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_IR_MINDIRTYPES_TD
#define MINDIR_IR_MINDIRTYPES_TD

include "mindir/Dialect/MindIR/IR/MindIRDialect.td"
include "mlir/IR/AttrTypeBase.td"

class MindIR_Type<string name, string typeMnemonic>
    : TypeDef<MindIR_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def MindIR_TokenType : MindIR_Type<"Token", "token"> {
  let summary = "Orders effects: each effect op takes the last token and gives the next.";
}

def MindIR_TapeType : MindIR_Type<"Tape", "tape"> {
  let summary = "Persistent stack of tensors that holds the residuals of loops.";
  let description = [{
    A tape is a value: pushing gives a new tape and leaves the old one as it was.
    Tensors of any type and shape can be pushed; they are popped with the type
    they were pushed with, dynamic sizes aside.
  }];
}

#endif // MINDIR_IR_MINDIRTYPES_TD
