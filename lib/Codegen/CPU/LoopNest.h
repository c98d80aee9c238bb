//===- LoopNest.h - the loops of a linalg op on buffers -------------------===//
//
// An op's operands, maps and sizes, with loops that are walked through together
// made one.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_CODEGEN_CPU_LOOPNEST_H
#define MINDIR_LIB_CODEGEN_CPU_LOOPNEST_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::mindir {

/// The loops of one `linalg.generic` on buffers, independent of the op's own once
/// collapsed: `operands` are then views of the op's operands.
struct LoopNest {
  /// Reads the op; emits the sizes of its loops at the builder's position.
  LoopNest(OpBuilder &b, linalg::GenericOp op);

  /// Drops loops of one iteration, and makes adjacent loops one where each operand
  /// walks through both contiguously or depends on neither. An op that reads its
  /// indices stays as it is.
  void collapse(OpBuilder &b);

  bool isReduction(unsigned dim) const {
    return iterators[dim] == utils::IteratorType::reduction;
  }
  unsigned getNumLoops() const { return iterators.size(); }
  Location getLoc() const { return loc; }
  /// The size of a loop, if it is known.
  std::optional<int64_t> getStaticSize(unsigned dim) const;
  /// The product of the sizes of some loops, or nothing when one is unknown.
  std::optional<int64_t> getStaticProduct(ArrayRef<unsigned> dims) const;
  Value getProduct(OpBuilder &b, ArrayRef<unsigned> dims) const;
  /// Ops per iteration, functions counted as several.
  int64_t getBodyCost() const;
  /// Whether consecutive positions along `dim` are consecutive elements of an operand.
  bool isContiguousAlong(unsigned operand, unsigned dim) const;

  linalg::GenericOp op;
  Location loc;
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  SmallVector<utils::IteratorType> iterators;
  SmallVector<Value> sizes;

private:
  /// The least size that an operand has along a loop. Operands whose sizes differ are
  /// an error of the running call, which has been recorded: nothing of them is read
  /// outside.
  Value getLoopSize(OpBuilder &b, unsigned dim) const;
  void dropUnitLoops(OpBuilder &b);
  /// Makes the results of an operand's map that are always 0 part of a neighbour.
  void dropUnitDims(OpBuilder &b, unsigned operand);
  /// Whether loops `dim` and `dim + 1` can be one for the operand.
  bool canJoin(unsigned operand, unsigned dim) const;
  void join(OpBuilder &b, unsigned dim);
};

} // namespace mlir::mindir

#endif // MINDIR_LIB_CODEGEN_CPU_LOOPNEST_H
