//===- Passes.td - passes of the Simplify phase ---------------*- tablegen -*-===//
//
// Passes that make a program smaller or plainer, on mindir ops.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_TRANSFORMS_SIMPLIFY_PASSES_TD
#define MINDIR_TRANSFORMS_SIMPLIFY_PASSES_TD

include "mlir/Pass/PassBase.td"

def DecomposeComposites : Pass<"mindir-decompose-composites"> {
  let summary = "Rewrites normalizations and cross entropy as primitive ops";
  let description = [{
    The composite ops exist so that autodiff, libraries and fusion can see them whole.
    What nobody took is written out here in broadcasts, reductions and elementwise ops,
    which fusion then joins again. f16 and bf16 are computed in f32 and rounded once,
    as a composite op is one op.

    ```mlir
    %0 = mindir.softmax %x axis = 1 : tensor<2x3xf32>
    // becomes
    %max = mindir.reduce_max %x axes = [1] keep_dims ...
    %shifted = mindir.sub %x, broadcast(%max) ...
    %exp = mindir.exp %shifted ...
    %0 = mindir.div %exp, broadcast(reduce_sum(%exp)) ...
    ```

    `cross_entropy` reports a label out of range through the runtime when it runs; here,
    where ops are pure, such a row gives zero. So the compiling pipeline leaves it to
    `convert-mindir-to-linalg`, which adds the check.
  }];
  let options = [
    Option<"keepChecked", "keep-checked", "bool", "false",
           "Leave the ops that check their operands when run">
  ];
}

def InlineFunctions : Pass<"mindir-inline-functions", "::mlir::ModuleOp"> {
  let summary = "Inlines functions that are small or called once";
  let description = [{
    Capture makes one private function of equal Cells and functions, which is
    differentiated and compiled once however often it is called. A call of a small one
    costs more than it saves, and hides its ops from fusion; so upstream's inliner runs
    with a limit on the size of what it copies. Constants and terminators are not
    counted. Functions that call themselves are inlined a few times at most.

    ```mlir
    %0 = call @relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
    // becomes
    %0 = mindir.relu %x : tensor<4xf32>
    ```
  }];
  let options = [
    Option<"maxOps", "max-ops", "int64_t", "8",
           "Ops of the largest function that is copied into its callers">,
    Option<"single", "single", "bool", "true",
           "Inline functions with one call whatever their size">,
    Option<"keepDynamic", "keep-dynamic", "bool", "true",
           "Leave calls of functions whose results have unknown sizes, which their "
           "callers cannot allocate">
  ];
}

#endif // MINDIR_TRANSFORMS_SIMPLIFY_PASSES_TD
