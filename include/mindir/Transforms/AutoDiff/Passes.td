//===- Passes.td - automatic differentiation passes -----------*- tablegen -*-===//
//
// The passes of the AutoDiff phase.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_TRANSFORMS_AUTODIFF_PASSES
#define MINDIR_TRANSFORMS_AUTODIFF_PASSES

include "mlir/Pass/PassBase.td"

def MindIRResolveTransforms : Pass<"mindir-resolve-transforms", "::mlir::ModuleOp"> {
  let summary = "Replaces mindir.vjp, jvp and vmap by calls of derived functions.";
  let description = [{
    Derivatives are functions like others, so that every later phase sees only
    ordinary ops, and derivatives of derivatives need nothing of their own. The
    innermost transformation is resolved first; a function that was derived before
    in the same way is used again.

    For `mindir.vjp @f`, the pass builds `@f.fwd`, which returns @f's results and
    the residuals, and `@f.bwd`, which maps residuals and result cotangents to
    argument cotangents. Only what the rules of the ops on the path from `wrt` to
    the results read becomes a residual; residuals of loops, branches and recursion
    go on a `!mindir.tape`. The cotangent given for a result that updates a
    Parameter (`mindir.updates`) is ignored.

    ```mlir
    func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = mindir.exp %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    %y, %dx = mindir.vjp @f(%x, %dy) wrt = [0] : ...
    // becomes
    func.func private @f.bwd(%y: tensor<4xf32>, %dy: tensor<4xf32>) -> tensor<4xf32> {
      %0 = mindir.mul %dy, %y : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    %y = call @f.fwd(%x) : ...
    %dx = call @f.bwd(%y, %dy) : ...
    ```

    An op on that path without a rule is an error that names it.
  }];
  let dependentDialects = [
    "::mlir::mindir::MindIRDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def MindIRVerifyResolved : Pass<"mindir-verify-resolved", "::mlir::ModuleOp"> {
  let summary = "Checks that no vjp, jvp or vmap is left.";
  let description = [{
    The contract of the AutoDiff phase: what follows knows nothing of function
    transformations.
  }];
}

#endif // MINDIR_TRANSFORMS_AUTODIFF_PASSES
