//===- FastMath.h - freedoms of generated arithmetic ----------------------===//
//
// The fast-math flags that the language definition allows.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_CODEGEN_CPU_FASTMATH_H
#define MINDIR_LIB_CODEGEN_CPU_FASTMATH_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::mindir {

/// Sets the flags of a float op: products may be contracted into sums, and an
/// accumulation reordered, nothing else.
inline void setFastMath(Operation *op, bool mayReorder) {
  if (!isa<arith::ArithFastMathInterface>(op) ||
      isa<arith::ExtFOp, arith::TruncFOp>(op))
    return;
  auto flags = arith::FastMathFlags::contract;
  if (mayReorder)
    flags = flags | arith::FastMathFlags::reassoc;
  op->setAttr("fastmath", arith::FastMathFlagsAttr::get(op->getContext(), flags));
}

} // namespace mlir::mindir

#endif // MINDIR_LIB_CODEGEN_CPU_FASTMATH_H
