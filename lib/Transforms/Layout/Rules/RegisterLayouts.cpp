//===- RegisterLayouts.cpp - attachment of all layout rules ---------------===//
//
// Rules are attached when their ops' dialect is loaded.
//
//===----------------------------------------------------------------------===//

#include "LayoutSupport.h"

#include "mindir/Transforms/Layout/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

void mindir::registerLayoutRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, MindIRDialect *) {
    attachElementwiseLayouts(context);
    attachReductionLayouts(context);
    attachLinearLayouts(context);
    attachNormalizationLayouts(context);
    attachMovementLayouts(context);
    attachIndexingLayouts(context);
  });
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    attachTensorLayouts(context);
  });
}
