//===- NormalizationLayouts.cpp - layout rules of normalizations ----------===//
//
// They name the dimension that they run along.
//
//===----------------------------------------------------------------------===//

#include "LayoutSupport.h"

using namespace mlir;
using namespace mlir::mindir;

void mindir::attachNormalizationLayouts(MLIRContext *context) {
  attachLayout<SoftmaxOp, moveAxis>(context);
  attachLayout<LogSoftmaxOp, moveAxis>(context);
  attachLayout<BatchNormTrainingOp, moveAxis>(context);
  attachLayout<BatchNormInferenceOp, moveAxis>(context);
}
