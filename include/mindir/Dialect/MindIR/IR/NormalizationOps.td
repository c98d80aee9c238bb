//===- NormalizationOps.td - normalizations -*- tablegen -*-===//
//
// Composite ops that libraries or fusion want whole; each has a decomposition.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_IR_NORMALIZATIONOPS_TD
#define MINDIR_IR_NORMALIZATIONOPS_TD

include "mindir/Dialect/MindIR/IR/MindIRBase.td"

class MindIR_AxisOp<string mnemonic, string summaryText, string formula>
    : MindIR_PureOp<mnemonic, [SameOperandsAndResultType, PrecisionOpInterface]> {
  let summary = summaryText;
  let description = formula # [{

    Constraints:
    - (c1) axis lies in [0, rank).
  }];
  let arguments = (ins MindIR_FloatTensor:$input, I64Attr:$axis);
  let results = (outs MindIR_FloatTensor:$result);
  let assemblyFormat = "$input `axis` `=` $axis attr-dict `:` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::mindir::PrecisionCategory getPrecisionCategory() {
      return ::mlir::mindir::PrecisionCategory::Full;
    }
  }];
}

def MindIR_SoftmaxOp : MindIR_AxisOp<"softmax", "Softmax along an axis.",
    "`result = exp(input - m) / sum(exp(input - m))`, m being the maximum.">;
def MindIR_LogSoftmaxOp : MindIR_AxisOp<"log_softmax",
    "Logarithm of the softmax along an axis.",
    "`result = (input - m) - log(sum(exp(input - m)))`, m being the maximum.">;

def MindIR_CrossEntropyOp : MindIR_InferredOp<"cross_entropy", [PrecisionOpInterface]> {
  let summary = "Cross entropy of softmaxed logits with class indices, per row.";
  let description = [{
    `result[i] = -log_softmax(logits)[i, labels[i]]`. A row whose label is
    `ignore_index` gives zero; another label out of range is a ValueError when run.

    Constraints:
    - (c1) logits have rank 2, labels rank 1.
    - (c2) both have the same number of rows.
  }];
  let arguments = (ins MindIR_FloatTensor:$logits, MindIR_IndexTensor:$labels,
                       DefaultValuedAttr<I64Attr, "-100">:$ignore_index);
  let results = (outs MindIR_FloatTensor:$result);
  let assemblyFormat = [{
    $logits `,` $labels attr-dict `:` type($logits) `,` type($labels) `->` type($result)
  }];
  let extraClassDeclaration = [{
    ::mlir::mindir::PrecisionCategory getPrecisionCategory() {
      return ::mlir::mindir::PrecisionCategory::Full;
    }
  }];
}

def MindIR_BatchNormTrainingOp : MindIR_InferredOp<"batch_norm_training", [PrecisionOpInterface]> {
  let summary = "Batch normalization by the batch's own statistics.";
  let description = [{
    Over all dimensions but `axis`: `mean`, the biased `variance`, and
    `result = (input - mean) / sqrt(variance + epsilon) * scale + offset`.

    Constraints:
    - (c1) axis lies in [0, rank).
    - (c2) scale and offset are vectors of the axis' size and the input's element type.
  }];
  let arguments = (ins MindIR_FloatTensor:$input, MindIR_FloatTensor:$scale,
                       MindIR_FloatTensor:$offset, F64Attr:$epsilon, I64Attr:$axis);
  let results = (outs MindIR_FloatTensor:$result, MindIR_FloatTensor:$mean,
                      MindIR_FloatTensor:$variance);
  let assemblyFormat = [{
    $input `,` $scale `,` $offset `axis` `=` $axis `epsilon` `=` $epsilon attr-dict
    `:` type($input) `,` type($scale) `,` type($offset)
    `->` type($result) `,` type($mean) `,` type($variance)
  }];
  let extraClassDeclaration = [{
    ::mlir::mindir::PrecisionCategory getPrecisionCategory() {
      return ::mlir::mindir::PrecisionCategory::Full;
    }
  }];
}

def MindIR_BatchNormInferenceOp : MindIR_InferredOp<"batch_norm_inference", [PrecisionOpInterface]> {
  let summary = "Batch normalization by given statistics.";
  let description = [{
    `result = (input - mean) / sqrt(variance + epsilon) * scale + offset`, the
    vectors running along `axis`.

    Constraints:
    - (c1) axis lies in [0, rank).
    - (c2) the vectors have the axis' size and the input's element type.
  }];
  let arguments = (ins MindIR_FloatTensor:$input, MindIR_FloatTensor:$scale,
                       MindIR_FloatTensor:$offset, MindIR_FloatTensor:$mean,
                       MindIR_FloatTensor:$variance, F64Attr:$epsilon, I64Attr:$axis);
  let results = (outs MindIR_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $scale `,` $offset `,` $mean `,` $variance
    `axis` `=` $axis `epsilon` `=` $epsilon attr-dict
    `:` type($input) `,` type($scale) `,` type($offset) `,` type($mean) `,` type($variance)
    `->` type($result)
  }];
  let extraClassDeclaration = [{
    ::mlir::mindir::PrecisionCategory getPrecisionCategory() {
      return ::mlir::mindir::PrecisionCategory::Full;
    }
  }];
}

#endif // MINDIR_IR_NORMALIZATIONOPS_TD
