//===- CollectiveOps.td - collectives -*- tablegen -*-===//
//
// Communication within groups of a device grid.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_IR_COLLECTIVEOPS_TD
#define MINDIR_IR_COLLECTIVEOPS_TD

include "mindir/Dialect/MindIR/IR/MindIRBase.td"

/// Attributes of a collective: the devices of a `shard.grid` that differ only
/// along `grid_axes` form one group.
defvar MindIR_GroupAttrs = (ins FlatSymbolRefAttr:$grid, DenseI64ArrayAttr:$grid_axes);

def MindIR_AllReduceOp : MindIR_PureOp<"all_reduce", [SameOperandsAndResultType]> {
  let summary = "Combines a tensor elementwise over the devices of each group.";
  let description = [{
    Every device of the group gets the combination, taken in the order of device
    numbers.
  }];
  let arguments = !con((ins MindIR_NumericTensor:$input, MindIR_ReduceKindAttr:$kind),
                       MindIR_GroupAttrs);
  let results = (outs MindIR_NumericTensor:$result);
  let assemblyFormat = [{
    $kind `,` $input `on` $grid `axes` `=` $grid_axes attr-dict
    `:` type($result)
  }];
}

#endif // MINDIR_IR_COLLECTIVEOPS_TD
