//===- Passes.td - code generation for CPUs -------------------*- tablegen -*-===//
//
// Passes from loops on buffers to the LLVM dialect.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_CODEGEN_CPU_PASSES_TD
#define MINDIR_CODEGEN_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def AddRunChecks : Pass<"mindir-add-run-checks", "::mlir::ModuleOp"> {
  let summary = "Lets Ctrl-C, deep recursion and sizes that overflow end a run";
  let description = [{
    Generated code has no way to fail of its own. Calls of the runtime, which leave the
    run and free what it holds, are put where it may need one: `mindrt_poll` into every
    `while`, which may run for ever, and into every `for` whose iterations call or loop;
    `mindrt_check_stack` into functions that may call themselves; `mindrt_check_bytes`
    before allocations of a size that is not known, with their bytes as a float, which
    does not overflow.

    ```mlir
    scf.while : () -> () {
      func.call @mindrt_poll() : () -> ()
      ...
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect"];
}

def LowerLaunches : Pass<"mindir-lower-launches", "::mlir::ModuleOp"> {
  let summary = "Calls the functions of kernels where the schedule launches them";
  let description = [{
    A `mindir.launch` on buffers becomes a call of its kernel with the same operands. On
    a CPU a kernel is a function of the program; what a launch says of reads and writes
    is used before.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def LowerKernelsToLoops : Pass<"mindir-lower-kernels-to-loops", "::mlir::ModuleOp"> {
  let summary = "Turns linalg ops on buffers into loops of vectors";
  let description = [{
    Loops of one iteration go, and adjacent ones that each operand walks through
    contiguously become one. The dimension along which most operands are contiguous is
    the innermost. When every operand is contiguous or constant along it, and the body
    is arithmetic that processors do on vectors, the op is emitted on vectors, with any
    number of results: those that do not depend on a loop accumulate in registers or in
    a strip on the stack. Float sums over long dimensions are added in blocks, so that
    the error does not grow with their length. The other ops become loops of elements,
    for LLVM to vectorize.

    Ops with enough work are shared out to threads: their outer iterations, or else a
    reduced loop or the innermost one, cut into parts whose number depends on sizes
    alone. Each part accumulates for itself and the parts are combined in order, so that
    results do not depend on the number of threads. What a thread runs becomes a
    function `(captured values..., lo, hi, grain)`, called with the whole range, which
    `mindir-pack-parallel-calls` hands to the thread pool. Small ops stay inline.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def ApproximateMath : Pass<"mindir-approximate-math", "::mlir::ModuleOp"> {
  let summary = "Computes f32 exp, expm1, log, log1p, tanh and erf by polynomials";
  let description = [{
    The polynomials have no calls and no branches, so loops over them vectorize. Their
    error is at most a few units in the last place. The other functions, whose upstream
    polynomials are less accurate, and all of f64 go to libm.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def VerifyVectorMath : Pass<"mindir-verify-vector-math"> {
  let summary = "Verifies that no math function on vectors is left for libm";
  let description = [{
    Runs behind `mindir-approximate-math`. The conversion to libm would take a vector
    apart and call the function for each element, more than ten times as slow as what
    vectors are for, without a word. Kernels with such functions are loops of elements.
  }];
}

def PackParallelCalls : Pass<"mindir-pack-parallel-calls", "::mlir::ModuleOp"> {
  let summary = "Runs chunk functions on the runtime's threads";
  let description = [{
    Runs on the LLVM dialect. A call of a function marked `mindir.chunk` becomes a call of
    `mindrt_parallel_for` with a wrapper that takes the other arguments from a structure
    on the caller's stack.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // MINDIR_CODEGEN_CPU_PASSES_TD
