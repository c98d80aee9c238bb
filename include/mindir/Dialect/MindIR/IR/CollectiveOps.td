//===- CollectiveOps.td - collectives -*- tablegen -*-===//
//
// Communication within groups of a device grid.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_IR_COLLECTIVEOPS_TD
#define MINDIR_IR_COLLECTIVEOPS_TD

include "mindir/Dialect/MindIR/IR/MindIRBase.td"

class MindIR_CollectiveOp<string mnemonic, list<Trait> traits = []>
    : MindIR_Op<mnemonic, traits>;

#endif // MINDIR_IR_COLLECTIVEOPS_TD
