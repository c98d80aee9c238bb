//===- IndexingLayouts.cpp - layout rules of indexing ---------------------===//
//
// Indexing along one dimension by a vector, which keeps the rank.
//
//===----------------------------------------------------------------------===//

#include "LayoutSupport.h"

using namespace mlir;
using namespace mlir::mindir;

/// All tensors but the indices (operand 1), which must be a vector.
static LayoutCarriers carryButIndices(Operation *op, int64_t rank) {
  if (cast<RankedTensorType>(op->getOperand(1).getType()).getRank() != 1)
    return carryNone(op);
  LayoutCarriers carriers = carrySameRank(op, rank);
  carriers.operands[1] = false;
  return carriers;
}

void mindir::attachIndexingLayouts(MLIRContext *context) {
  attachLayout<IotaOp, moveAxis>(context);
  attachLayout<GatherOp, moveAxis, carryButIndices>(context);
  attachLayout<ScatterAddOp, moveAxis, carryButIndices>(context);
}
