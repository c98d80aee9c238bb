//===- RandomOps.td - random numbers -*- tablegen -*-===//
//
// Counter-based generators: the state (seed, offset) is a value threaded in program order.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_IR_RANDOMOPS_TD
#define MINDIR_IR_RANDOMOPS_TD

include "mindir/Dialect/MindIR/IR/MindIRBase.td"

class MindIR_RandomOp<string mnemonic, Type tensor, string summaryText, string text>
    : MindIR_ShapedOp<mnemonic> {
  let summary = summaryText;
  let description = text # [{

    The state is `[seed, offset]`. Element `i` in row-major order is made from word
    `i mod 4` of Philox4x32-10 with key `seed` and counter `offset + i div 4`; the
    new state's offset is advanced by the number of counters used.

    Constraints:
    - (c1) dynamic_sizes has one entry for each `?` of the result type.
  }];
  let arguments = (ins MindIR_StateTensor:$state, Variadic<Index>:$dynamic_sizes);
  let results = (outs tensor:$result, MindIR_StateTensor:$new_state);
  let without = !listconcat([MindIR_GivenType], MindIR_OnIntegers);
  let assemblyFormat = [{
    $state (`sizes` `(` $dynamic_sizes^ `)`)? attr-dict `:` type($result)
  }];
}

def MindIR_RandomBitsOp : MindIR_RandomOp<"random_bits", RankedTensorOf<[UI32]>,
    "Uniform 32-bit words.", "The generator's words as they are.">;
def MindIR_RandomUniformOp : MindIR_RandomOp<"random_uniform", MindIR_FloatTensor,
    "Uniform numbers in [0, 1).",
    "The upper 24 bits of a word, times 2^-24 (f16 and bf16: rounded down).">;
def MindIR_RandomNormalOp : MindIR_RandomOp<"random_normal", MindIR_FloatTensor,
    "Standard normal numbers.",
    "Box and Muller's transform of the words (0, 1) and (2, 3) of each counter: with u "
    "and v the upper 24 bits of the pair's words times 2^-24, `sqrt(-2 ln(u + 2^-24)) * "
    "cos(2 pi v)`, then the same with sin.">;

#endif // MINDIR_IR_RANDOMOPS_TD
