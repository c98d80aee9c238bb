//===- RegisterRules.cpp - attachment of all derivative rules -------------===//
//
// Rules are attached when their ops' dialect is loaded.
//
//===----------------------------------------------------------------------===//

#include "RuleSupport.h"

#include "mindir/Transforms/AutoDiff/AutoDiff.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

void mindir::registerAutoDiffRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, MindIRDialect *) {
    attachElementwiseRules(context);
    attachReductionRules(context);
    attachLinearRules(context);
    attachNormalizationRules(context);
    attachMovementRules(context);
    attachIndexingRules(context);
    attachCollectiveRules(context);
    attachControlFlowRules(context);
    attachBatchingRules(context);
  });
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    attachTensorRules(context);
    attachTensorBatchingRules(context);
  });
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    attachArithRules(context);
  });
}
