//===- ShapedOp.h - ops whose result shape is given -----------------------===//
//
// What ops with a `dynamic_sizes` operand share.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_DIALECT_MINDIR_IR_SHAPEDOP_H
#define MINDIR_DIALECT_MINDIR_IR_SHAPEDOP_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace mlir::mindir {

/// Checks that there is one dynamic size for each `?` of the first result.
LogicalResult verifyDynamicSizes(Operation *op, size_t numDynamicSizes);

/// Returns the sizes of `value` as attributes where known, else `tensor.dim`s.
SmallVector<OpFoldResult> getMixedSizes(OpBuilder &builder, Location loc,
                                        Value value);

/// Returns the sizes of `value` that its type does not know, as index values:
/// the `dynamic_sizes` of an op whose result has that type.
SmallVector<Value> getDynamicSizes(OpBuilder &builder, Location loc,
                                   Value value);

} // namespace mlir::mindir

#endif // MINDIR_DIALECT_MINDIR_IR_SHAPEDOP_H
