//===- CollectiveOps.td - collectives -*- tablegen -*-===//
//
// Communication within groups of a device grid.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_IR_COLLECTIVEOPS_TD
#define MINDIR_IR_COLLECTIVEOPS_TD

include "mindir/Dialect/MindIR/IR/MindIRBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/SymbolInterfaces.td"

//===----------------------------------------------------------------------===//
// Sharding
//===----------------------------------------------------------------------===//

def MindIR_ShardingAttr : AttrDef<MindIR_Dialect, "Sharding"> {
  let mnemonic = "sharding";
  let summary = "How a tensor is distributed over a device grid.";
  let description = [{
    Entry `i` of `split_axes` lists the axes of `grid` that split dimension `i`, the
    first being the outermost; dimensions without an entry, and devices that differ
    along other axes, hold replicas. As the argument attribute `mindir.sharding` or
    the result attribute of that name it seeds the propagation of shardings; after
    partition the types are those of one device's part.

    ```mlir
    func.func @f(%x: tensor<8x4xf32> {mindir.sharding = #mindir.sharding<@grid, [[0], []]>})
    ```
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$grid,
                        OptionalArrayRefParameter<"::mlir::DenseI64ArrayAttr">:$split_axes);
  let assemblyFormat = "`<` $grid `,` `[` (`]`) : ($split_axes^ `]`)? `>`";
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

defvar MindIR_OnDevice = [
  MindIR_Without<"sharding", "a device's program, which partition makes, has it as it is">,
  MindIR_Without<"lowering", "compiled code is the program of one process; it is refused">];

/// A collective. The devices of a `shard.grid` that differ only along `grid_axes`
/// form one group; a device's position in its group counts the axes in the order
/// in which they are listed, the last fastest. Every device of the grid runs the
/// same collectives in the same order, so an op is pure: what is done to it is done
/// on all devices. Control flow around it must go the same way on a whole group.
class MindIR_CollectiveOp<string mnemonic, list<Trait> traits = []>
    : MindIR_PureOp<mnemonic, !listconcat(
        [DeclareOpInterfaceMethods<SymbolUserOpInterface>], traits)> {
  let hasFolder = 1;
  let without = !listconcat(MindIR_OnDevice, [
    MindIR_Without<"inference", "the size of a group stands in the grid, a symbol">]);
}

defvar MindIR_GroupAttrs = (ins FlatSymbolRefAttr:$grid, DenseI64ArrayAttr:$grid_axes);

def MindIR_AllReduceOp : MindIR_CollectiveOp<"all_reduce", [SameOperandsAndResultType]> {
  let summary = "Combines a tensor elementwise over the devices of each group.";
  let without = MindIR_OnDevice;
  let description = [{
    Every device of the group gets the combination, taken in the order of device
    numbers. A maximum or minimum is NaN when one element is.

    Constraints:
    - (c1) grid names a `shard.grid`.
    - (c2) grid_axes are distinct axes of the grid.

    ```mlir
    %0 = mindir.all_reduce sum, %x on @grid axes = [0] : tensor<4xf32>
    ```
  }];
  let arguments = !con((ins MindIR_NumericTensor:$input, MindIR_ReduceKindAttr:$kind),
                       MindIR_GroupAttrs);
  let results = (outs MindIR_NumericTensor:$result);
  let assemblyFormat = [{
    $kind `,` $input `on` $grid `axes` `=` $grid_axes attr-dict
    `:` type($result)
  }];
}

def MindIR_AllGatherOp : MindIR_CollectiveOp<"all_gather"> {
  let summary = "Joins the tensors of each group along a dimension.";
  let description = [{
    Every device of the group gets the concatenation along `axis`, in the order of
    the devices in the group.

    Constraints:
    - (c1) grid names a `shard.grid`.
    - (c2) grid_axes are distinct axes of the grid.
    - (c3) axis lies in [0, rank).
    - (c4) the result's size along axis is the input's times the group's; other
      sizes and the element type stay.

    ```mlir
    %0 = mindir.all_gather %x axis = 1 on @grid axes = [0] : tensor<4x2xf32> -> tensor<4x4xf32>
    ```
  }];
  let arguments = !con((ins MindIR_Tensor:$input, I64Attr:$axis), MindIR_GroupAttrs);
  let results = (outs MindIR_Tensor:$result);
  let assemblyFormat = [{
    $input `axis` `=` $axis `on` $grid `axes` `=` $grid_axes attr-dict
    `:` type($input) `->` type($result)
  }];
}

def MindIR_AllSliceOp : MindIR_CollectiveOp<"all_slice"> {
  let summary = "A device's own part of a tensor along a dimension; no communication.";
  let description = [{
    Cuts `axis` into as many equal parts as the group has devices; a device keeps the
    part of its position. The inverse of `all_gather` on equal inputs.

    Constraints:
    - (c1) grid names a `shard.grid`.
    - (c2) grid_axes are distinct axes of the grid.
    - (c3) axis lies in [0, rank).
    - (c4) the input's size along axis is the result's times the group's (so the group
      divides it); other sizes and the element type stay.

    ```mlir
    %0 = mindir.all_slice %x axis = 0 on @grid axes = [0] : tensor<4xf32> -> tensor<2xf32>
    ```
  }];
  let arguments = !con((ins MindIR_Tensor:$input, I64Attr:$axis), MindIR_GroupAttrs);
  let results = (outs MindIR_Tensor:$result);
  let assemblyFormat = [{
    $input `axis` `=` $axis `on` $grid `axes` `=` $grid_axes attr-dict
    `:` type($input) `->` type($result)
  }];
}

def MindIR_ReduceScatterOp : MindIR_CollectiveOp<"reduce_scatter"> {
  let summary = "Combines over the devices of each group, each keeping one part.";
  let description = [{
    `all_slice` of `all_reduce`: the elementwise combination, of which a device gets
    the part of its position along `axis`.

    Constraints: those of `all_slice`.

    ```mlir
    %0 = mindir.reduce_scatter sum, %x axis = 0 on @grid axes = [0] : tensor<4xf32> -> tensor<2xf32>
    ```
  }];
  let arguments = !con((ins MindIR_NumericTensor:$input, MindIR_ReduceKindAttr:$kind,
                            I64Attr:$axis), MindIR_GroupAttrs);
  let results = (outs MindIR_NumericTensor:$result);
  let assemblyFormat = [{
    $kind `,` $input `axis` `=` $axis `on` $grid `axes` `=` $grid_axes attr-dict
    `:` type($input) `->` type($result)
  }];
}

def MindIR_AllToAllOp : MindIR_CollectiveOp<"all_to_all"> {
  let summary = "Each device sends one part to every device of its group.";
  let description = [{
    Cuts the input along `split_axis` into as many equal parts as the group has
    devices, sends part `i` to the device of position `i`, and joins the received
    parts along `concat_axis` in the order of their senders.

    Constraints:
    - (c1) grid names a `shard.grid`.
    - (c2) grid_axes are distinct axes of the grid.
    - (c3) split_axis and concat_axis lie in [0, rank).
    - (c4) the group divides the size along split_axis; the result has that part of
      it, and the size along concat_axis times the group's.

    ```mlir
    %0 = mindir.all_to_all %x split = 1 concat = 0 on @grid axes = [0]
      : tensor<2x4xf32> -> tensor<4x2xf32>
    ```
  }];
  let arguments = !con((ins MindIR_Tensor:$input, I64Attr:$split_axis,
                            I64Attr:$concat_axis), MindIR_GroupAttrs);
  let results = (outs MindIR_Tensor:$result);
  let assemblyFormat = [{
    $input `split` `=` $split_axis `concat` `=` $concat_axis
    `on` $grid `axes` `=` $grid_axes attr-dict `:` type($input) `->` type($result)
  }];
}

#endif // MINDIR_IR_COLLECTIVEOPS_TD
