//===- Passes.td - code generation for CPUs -------------------*- tablegen -*-===//
//
// Passes from loops on buffers to the LLVM dialect.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_CODEGEN_CPU_PASSES_TD
#define MINDIR_CODEGEN_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckInterrupts : Pass<"mindir-check-interrupts", "::mlir::ModuleOp"> {
  let summary = "Lets Ctrl-C end loops whose number of iterations is not known";
  let description = [{
    A `while` may run for ever. Its condition is joined with a call of
    `mindrt_check_interrupt`, which records the interruption for the caller: the values
    that the loop leaves with are then of no account.

    ```mlir
    scf.condition(%c)
    // becomes
    %code = func.call @mindrt_check_interrupt() : () -> i32
    %go = arith.cmpi eq, %code, %c0_i32 : i32
    %both = arith.andi %c, %go : i1
    scf.condition(%both)
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect"];
}

def LowerKernelsToLoops : Pass<"mindir-lower-kernels-to-loops", "::mlir::ModuleOp"> {
  let summary = "Turns linalg ops on buffers into loops that LLVM vectorizes";
  let description = [{
    Chooses the order of the loops: the dimension along which most operands are
    contiguous is the innermost. When that is a reduced one, the accumulators are loop
    values (registers); else they stay in memory and the reduction runs outside. Float
    sums over long dimensions are added in blocks, so that the error does not grow with
    their length. `reassoc` is set on the accumulating op alone, `contract` on every
    float op.

    Ops with enough work are cut into chunks of their outer parallel iterations: each
    becomes a function `(captured values..., lo, hi, grain)`, called with the whole
    range, which `mindir-pack-parallel-calls` hands to the thread pool. Small ops stay
    inline.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
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
