//===- Passes.td - passes of the Parallel phase ---------------*- tablegen -*-===//
//
// Passes that distribute a module over a device grid.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_TRANSFORMS_PARALLEL_PASSES_TD
#define MINDIR_TRANSFORMS_PARALLEL_PASSES_TD

include "mlir/Pass/PassBase.td"

def VerifyShardings : Pass<"mindir-verify-shardings", "::mlir::ModuleOp"> {
  let summary = "Refuses shardings whose grid does not divide a size";
  let description = [{
    Checks every `shard.shard` and every `mindir.sharding` attribute: the grid exists and
    its extents are known; the axes are distinct ones of it; each split size is known
    and divided by the number of devices that split it. An error names the op, the
    dimension, the size and the grid. Partition would otherwise lose the rows that
    do not divide.
  }];
}

def PropagateShardings : Pass<"mindir-propagate-shardings", "::mlir::ModuleOp"> {
  let summary = "Derives the sharding of every tensor from those that are given";
  let description = [{
    Seeds are `shard.shard` ops and the attribute `mindir.sharding` of arguments and
    results; they are kept. Others follow through each op's `shard::ShardingInterface`,
    through regions (`scf`) and calls, forward and backward, until nothing changes; a
    dimension that nothing splits is replicated. Afterwards each tensor of rank 1 or more
    is annotated where it is defined, and with `annotate_for_users` at each use.

    ```mlir
    %y = mindir.relu %x : tensor<8x4xf32>
    // becomes
    %u = shard.shard %x to %sharding annotate_for_users : tensor<8x4xf32>
    %r = mindir.relu %u : tensor<8x4xf32>
    %y = shard.shard %r to %sharding : tensor<8x4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::shard::ShardDialect"];
}

def PartitionModule : Pass<"mindir-partition-module", "::mlir::ModuleOp"> {
  let summary = "Rewrites an annotated module as the program of one device";
  let description = [{
    Types become those of a device's part; a reduction over a split dimension is
    followed by `shard.all_reduce`; where definition and use are sharded differently,
    `shard.all_slice`, `all_gather` and `all_to_all` lie between. Bodies of `scf` ops and
    called functions are partitioned with the rest. The shardings of arguments and
    results stay as the attribute `mindir.sharding`.
  }];
  let dependentDialects = ["::mlir::shard::ShardDialect"];
}

#endif // MINDIR_TRANSFORMS_PARALLEL_PASSES_TD
