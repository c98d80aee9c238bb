//===- StateOps.td - state -*- tablegen -*-===//
//
// Generator state and the parting of a Parameter from its gradient.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_IR_STATEOPS_TD
#define MINDIR_IR_STATEOPS_TD

include "mindir/Dialect/MindIR/IR/MindIRBase.td"

def MindIR_SeedStateOp : MindIR_PureOp<"seed_state"> {
  let summary = "The state of a generator at its start.";
  let without = !listconcat(MindIR_NoOperands, [
    MindIR_Without<"sharding", "a generator's state is whole on every device">]);
  let arguments = (ins I64Attr:$seed);
  let results = (outs MindIR_StateTensor:$state);
  let assemblyFormat = "$seed attr-dict";
}

def MindIR_StopGradientOp : MindIR_PureOp<"stop_gradient", [SameOperandsAndResultType]> {
  let summary = "The input, as a constant to differentiation.";
  let without = [MindIR_Without<"derivative",
    "it ends differentiation: what depends on it alone is constant">];
  let arguments = (ins MindIR_Tensor:$input);
  let results = (outs MindIR_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($result)";
}

#endif // MINDIR_IR_STATEOPS_TD
