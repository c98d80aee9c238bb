//===- StructuredOpInterface.h - loops and indexing maps ------------------===//
//
// C++ face of StructuredOpInterface.td, and the map sets that many ops share.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_INTERFACES_STRUCTUREDOPINTERFACE_H
#define MINDIR_INTERFACES_STRUCTUREDOPINTERFACE_H

#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/OpDefinition.h"

#include "mindir/Interfaces/StructuredOpInterface.h.inc"

namespace mlir::mindir {

/// Returns the maps of an op whose tensor operands and results all have the
/// shape of its first result: the identity, once per operand and result.
SmallVector<AffineMap> getElementwiseIndexingMaps(Operation *op);

/// Returns one parallel iterator per dimension of the first result.
SmallVector<utils::IteratorType> getElementwiseIteratorTypes(Operation *op);

} // namespace mlir::mindir

#endif // MINDIR_INTERFACES_STRUCTUREDOPINTERFACE_H
