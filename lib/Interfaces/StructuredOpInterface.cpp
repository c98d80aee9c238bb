//===- StructuredOpInterface.cpp - loops and indexing maps ----------------===//
//
// The generated definitions of StructuredOpInterface.td, and shared map sets.
//
//===----------------------------------------------------------------------===//

#include "mindir/Interfaces/StructuredOpInterface.h"

#include "mlir/IR/BuiltinTypes.h"

#include "mindir/Interfaces/StructuredOpInterface.cpp.inc"

using namespace mlir;
using namespace mlir::mindir;

static int64_t getResultRank(Operation *op) {
  return cast<RankedTensorType>(op->getResult(0).getType()).getRank();
}

SmallVector<AffineMap> mindir::getElementwiseIndexingMaps(Operation *op) {
  auto identity =
      AffineMap::getMultiDimIdentityMap(getResultRank(op), op->getContext());
  return SmallVector<AffineMap>(op->getNumOperands() + op->getNumResults(),
                                identity);
}

SmallVector<utils::IteratorType>
mindir::getElementwiseIteratorTypes(Operation *op) {
  return SmallVector<utils::IteratorType>(getResultRank(op),
                                          utils::IteratorType::parallel);
}
