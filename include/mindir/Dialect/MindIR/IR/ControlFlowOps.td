//===- ControlFlowOps.td - derivative operators, tapes, effects -*- tablegen -*-===//
//
// What upstream control flow lacks: function transformations, residual tapes, ordered effects.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_IR_CONTROLFLOWOPS_TD
#define MINDIR_IR_CONTROLFLOWOPS_TD

include "mindir/Dialect/MindIR/IR/MindIRBase.td"

include "mlir/IR/SymbolInterfaces.td"

//===----------------------------------------------------------------------===//
// Function transformations
//===----------------------------------------------------------------------===//

class MindIR_TransformOp<string mnemonic>
    : MindIR_Op<mnemonic, [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$inputs,
                       DenseI64ArrayAttr:$wrt);
  let results = (outs Variadic<AnyType>:$results);
  let without = [
    MindIR_Without<"inference", "the types are those of the callee, a symbol">,
    MindIR_Without<"derivative", "the innermost is resolved first, and leaves calls">,
    MindIR_Without<"batching", "vmap maps the callee instead">,
    MindIR_Without<"sharding", "autodiff resolves it before partition">,
    MindIR_Without<"reference", "autodiff resolves it before the program is run">,
    MindIR_Without<"lowering", "autodiff resolves it before the lowering">];
}

def MindIR_VJPOp : MindIR_TransformOp<"vjp"> {
  let summary = "Values of a function, and the cotangents of some arguments.";
  let description = [{
    Operands: the callee's arguments, then one cotangent per differentiable (float)
    result in order. Results: the callee's results, then one cotangent per index in
    `wrt`. The innermost transformation is resolved first.

    Constraints:
    - (c1) operands and results have the types so described.
    - (c2) each index in wrt names a float argument.

    ```mlir
    %y, %dx = mindir.vjp @f(%x, %dy) wrt = [0] : (tensor<4xf32>, tensor<f32>) -> (tensor<f32>, tensor<4xf32>)
    ```
  }];
  let assemblyFormat = [{
    $callee `(` $inputs `)` `wrt` `=` $wrt attr-dict `:` functional-type($inputs, $results)
  }];
}

def MindIR_JVPOp : MindIR_TransformOp<"jvp"> {
  let summary = "Values of a function, and their tangents.";
  let description = [{
    Operands: the callee's arguments, then one tangent per index in `wrt`. Results:
    the callee's results, then one tangent per float result.

    Constraints:
    - (c1) operands and results have the types so described.
    - (c2) each index in wrt names a float argument.
  }];
  let assemblyFormat = [{
    $callee `(` $inputs `)` `wrt` `=` $wrt attr-dict `:` functional-type($inputs, $results)
  }];
}

def MindIR_VMapOp : MindIR_TransformOp<"vmap"> {
  let summary = "A function over a new leading dimension.";
  let description = [{
    Operands: the callee's arguments, those in `wrt` with a leading dimension more.
    Results: the callee's results, each with that dimension.

    Constraints:
    - (c1) operands and results have the types so described.
  }];
  let assemblyFormat = [{
    $callee `(` $inputs `)` `wrt` `=` $wrt attr-dict `:` functional-type($inputs, $results)
  }];
}

//===----------------------------------------------------------------------===//
// Tape
//===----------------------------------------------------------------------===//

defvar MindIR_OnTapes = [
  MindIR_Without<"batching", "reverse mode makes tapes, of functions that are mapped already">,
  MindIR_Without<"sharding", "entries are whole: which push a pop meets is known when run">];

def MindIR_TapeEmptyOp : MindIR_PureOp<"tape_empty"> {
  let summary = "A tape without entries.";
  let without = !listconcat(MindIR_NoOperands, [
    MindIR_Without<"sharding", "there is no tensor to split">]);
  let results = (outs MindIR_TapeType:$tape);
  let assemblyFormat = "attr-dict";
}

def MindIR_TapePushOp : MindIR_PureOp<"tape_push"> {
  let summary = "A tape with one tensor more.";
  let without = MindIR_OnTapes;
  let arguments = (ins MindIR_TapeType:$tape, MindIR_Tensor:$value);
  let results = (outs MindIR_TapeType:$new_tape);
  let assemblyFormat = "$tape `,` $value attr-dict `:` type($value)";
}

def MindIR_TapePopOp : MindIR_PureOp<"tape_pop"> {
  let summary = "The tensor last pushed, and the tape without it.";
  let without = !listconcat([MindIR_GivenType], MindIR_OnTapes);
  let arguments = (ins MindIR_TapeType:$tape);
  let results = (outs MindIR_TapeType:$new_tape, MindIR_Tensor:$value);
  let assemblyFormat = "$tape attr-dict `:` type($value)";
}

//===----------------------------------------------------------------------===//
// Ordered effects
//===----------------------------------------------------------------------===//

def MindIR_TokenOp : MindIR_PureOp<"token"> {
  let summary = "The token before any effect.";
  let without = !listconcat(MindIR_NoOperands, [
    MindIR_Without<"sharding", "there is no tensor to split">]);
  let results = (outs MindIR_TokenType:$token);
  let assemblyFormat = "attr-dict";
}

class MindIR_EffectOp<string mnemonic>
    : MindIR_Op<mnemonic, [MemoryEffects<[MemWrite]>]>;

def MindIR_PrintOp : MindIR_EffectOp<"print"> {
  let summary = "Prints text with tensors in place of each `{}`.";
  let without = [
    MindIR_Without<"derivative", "it gives no tensor">,
    MindIR_Without<"batching", "a function under vmap gives tensors alone, no token">,
    MindIR_Without<"sharding", "it prints tensors whole">];
  let arguments = (ins MindIR_TokenType:$token, StrAttr:$format,
                       Variadic<MindIR_Tensor>:$values);
  let results = (outs MindIR_TokenType:$new_token);
  let assemblyFormat = [{
    $token `,` $format (`(` $values^ `:` type($values) `)`)? attr-dict
  }];
}

#endif // MINDIR_IR_CONTROLFLOWOPS_TD
