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

def PlaceUpdates : Pass<"mindir-place-updates", "::mlir::ModuleOp"> {
  let summary = "Computes the update of a donated argument into its buffer";
  let description = [{
    Runs on tensors. The op that computes a result marked `updates = k` takes the donated
    argument k as its init instead of an empty tensor, and moves directly behind the
    argument's last reader: later, more would be live; earlier, bufferization would copy.
    An update that is not computed by an op with an init, or that is used before the
    argument's last reader, is left to `mindir-bind-updates`.
  }];
  let statistics = [
    Statistic<"numPlaced", "updates-placed", "Updates computed into their argument">
  ];
}

def SeparateFills : Pass<"mindir-separate-fills"> {
  let summary = "Gives each op that accumulates a fill of its own";
  let description = [{
    CSE merges the zero tensors that sums start from. Bufferization then copies the one
    for each sum but the last, where a fill would do: the fill is cloned, with its empty
    tensor, directly before each op that takes it as init.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def PassResults : Pass<"mindir-pass-results", "::mlir::ModuleOp"> {
  let summary = "Lets callers of private functions allocate their results";
  let description = [{
    Runs on buffers, before deallocation. A returned buffer of a call may be any buffer
    that the call was given, as far as deallocation can see; in a chain of calls (the
    blocks of a network) that grows without bound, and each result is an allocation of
    its own. Where the sizes are known the caller passes the buffer instead, which
    then is a place in its arena.

    ```mlir
    %r = call @block(%x) : (memref<8xf32>) -> memref<8xf32>
    // becomes
    %r = memref.alloc() : memref<8xf32>
    call @block(%x, %r) : (memref<8xf32>, memref<8xf32>) -> ()
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
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

def CountTapes : Pass<"mindir-count-tapes", "::mlir::ModuleOp"> {
  let summary = "Inserts retains and releases of tapes";
  let description = [{
    Every tape value is one counted reference, which exactly one use takes over: a push or
    pop, a call, a yield, the init of a loop. The other uses retain it first; a value whose
    last use is inside a region, or that has none, is released after it. Pushing thus
    copies nothing of the tape, and popping the last reference moves the tensor out.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def PlanArena : Pass<"mindir-plan-arena", "::mlir::ModuleOp"> {
  let summary = "Places the buffers of a block into one allocation";
  let description = [{
    Runs after deallocation. Buffers of known size that are allocated and freed in one
    block become views of an arena that the block allocates once: first fit, largest first,
    by the positions of allocation and deallocation. The arena comes from the runtime's
    caching allocator, so a running call has its own and repeated calls reuse the pages.
  }];
  let statistics = [
    Statistic<"numPlaced", "buffers-placed", "Buffers that became views of an arena">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def OutlineKernels : Pass<"mindir-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Moves each kernel into a function named by its structure";
  let description = [{
    A kernel is a linalg op on buffers, with the fills of its outputs. It becomes a private
    function `kernel_<hash>` of the buffers it touches; equal kernels are one function, so
    that twelve equal layers are compiled once. What remains is the schedule. Runs on
    buffers, where the layouts of the operands are known.
  }];
  let statistics = [
    Statistic<"numKernels", "kernels", "Kernels made">,
    Statistic<"numShared", "kernels-shared", "Uses of a kernel that was there">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

#endif // MINDIR_TRANSFORMS_MEMORY_PASSES_TD
