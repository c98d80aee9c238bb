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
    tensor, directly before each op that takes it as init. An empty tensor that CSE moved
    out of a loop is cloned back in, so that each iteration has a buffer of its own.
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

def LabelIterators : Pass<"mindir-label-iterators"> {
  let summary = "Labels the loops of ops with several results for bufferization";
  let description = [{
    An op may have results that are elementwise and others that are reduced. Its loops
    are labelled reductions, and bufferization then takes no result to be elementwise: an
    update beside a sum would be copied into its argument. With `all-parallel` the loops
    of such ops are labelled parallel, which allows an output in the buffer of an input
    that is walked through with it, and of no other. Without, the labels tell the truth
    again. Nothing may run between the two but bufferization.
  }];
  let options = [
    Option<"allParallel", "all-parallel", "bool", "false",
           "Label every loop of an op with an elementwise result as parallel">
  ];
}

def RotateBuffers : Pass<"mindir-rotate-buffers", "::mlir::ModuleOp"> {
  let summary = "Lets loops take turns with the buffers of carried values";
  let description = [{
    Runs on buffers, before deallocation. Bufferization gives a carried value that is not
    updated in place a fresh buffer in each iteration, and copies one that changes its
    position or passes the condition of a `while`. Here carried values of one known type
    share a ring of buffers, allocated once: what is carried is the offset of a value's
    slot. A value is handed on by its offset, and a new one is written into the slot of
    one that died in the iteration before.

    ```mlir
    // x, y = y, x + y
    scf.for ... iter_args(%x = %x0, %y = %y0) -> (memref<4xf32>, memref<4xf32>) {
      %s = memref.alloc()                 // %s = %x + %y
      %t = memref.alloc()
      memref.copy %y, %t
      scf.yield %t, %s
    }
    // becomes
    %ring = memref.alloc() : memref<192xi8>
    scf.for ... iter_args(%x = %c0, %y = %c64, %spare = %c128) -> (index, index, index) {
      // views of %ring: %spare = %x + %y
      scf.yield %y, %spare, %x
    }
    ```

    Only values whose first buffer is fresh and not read behind the loop are rotated;
    bufferization sees to that where it matters. A result that leaves the function, or is
    written behind the loop, is copied out once. Buffers that an iteration uses for
    itself move out of the loop.
  }];
  let statistics = [Statistic<"numRotated", "rings", "Rings of buffers made">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
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
    by the positions of their first and last uses. Buffers of unknown size join when
    their sizes can be computed at the block's begin: those with equal size expressions
    share slots in turn, behind the buffers of known size. The arena comes from the runtime's
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
    function `kernel_<hash>` of the buffers it reads, then those it writes; equal kernels are
    one function, so that twelve equal layers are compiled once. A `mindir.launch` stands
    in its place, which says what is written. What remains is the schedule. Runs on
    buffers, where the layouts of the operands are known.
  }];
  let statistics = [
    Statistic<"numKernels", "kernels", "Kernels made">,
    Statistic<"numShared", "kernels-shared", "Uses of a kernel that was there">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::mindir::MindIRDialect"];
}

def VerifyMemory : Pass<"mindir-verify-memory", "::mlir::ModuleOp"> {
  let summary = "Verifies what the Memory phase promises";
  let description = [{
    Fails when a value is still a tensor; when a loop on buffers stands outside of a
    kernel; when an update of a donated argument is returned instead of lying in the
    argument's buffer; when an argument's buffer is copied into by anything but
    `mindir-bind-updates`, which counts and reports its copies; or when a buffer is
    allocated that is never freed and never leaves its function.
  }];
}

#endif // MINDIR_TRANSFORMS_MEMORY_PASSES_TD
