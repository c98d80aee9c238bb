//===- Passes.td - passes of the Memory phase -----------------*- tablegen -*-===//
//
// Passes that decide in which buffer each value lives.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_TRANSFORMS_MEMORY_PASSES_TD
#define MINDIR_TRANSFORMS_MEMORY_PASSES_TD

include "mlir/Pass/PassBase.td"

def RecordEntries : Pass<"mindir-record-entries", "::mlir::ModuleOp"> {
  let summary = "Records the signature of each public function as attributes";
  let description = [{
    Runs while types are still mindir's, since lowering loses signedness. Writes the
    arrays `mindir.arguments` and `mindir.results` (see `EntryAttributes.h`), removes
    token results, which compiled code does not return, asks for a C interface, and
    marks every argument `bufferization.writable`: true only of a donated one. Without
    that mark bufferization takes every argument as writable and overwrites the
    caller's inputs.

    ```mlir
    func.func @main(%w: tensor<4xf32> {mindir.donated}) -> (tensor<4xf32> {mindir.updates = 0 : i64})
    // gets
    attributes {mindir.arguments = [{donated, type = tensor<4xf32>} ],
                mindir.results = [{type = tensor<4xf32>, updates = 0 : i64} ]}
    ```
  }];
}

def BindUpdates : Pass<"mindir-bind-updates", "::mlir::ModuleOp"> {
  let summary = "Makes each update of a donated argument end in its buffer";
  let description = [{
    Runs on buffers. A result marked `updates = k` of a donated argument k is dropped
    from the returned values when it lies in the argument's buffer; otherwise it is
    copied there first, with a remark, since that copy is the planner's failure. The
    results that stay get their `position`.
  }];
  let statistics = [
    Statistic<"numInPlace", "updates-in-place", "Updates found in their buffer">,
    Statistic<"numCopied", "updates-copied", "Updates copied to their buffer">
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

#endif // MINDIR_TRANSFORMS_MEMORY_PASSES_TD
