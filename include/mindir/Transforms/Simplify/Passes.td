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

#endif // MINDIR_TRANSFORMS_SIMPLIFY_PASSES_TD
