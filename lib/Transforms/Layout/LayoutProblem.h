//===- LayoutProblem.h - which values are transposed ----------------------===//
//
// The choice between the natural order of a module's images and a transposed one,
// as a minimum cut.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_TRANSFORMS_LAYOUT_LAYOUTPROBLEM_H
#define MINDIR_LIB_TRANSFORMS_LAYOUT_LAYOUTPROBLEM_H

#include "MinimumCut.h"

#include "mindir/Interfaces/LayoutOpInterface.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::mindir {

/// Whether the dimensions whose size is not one keep their order under the
/// permutation: the transpose is a reshape, which moves nothing.
bool keepsElementOrder(RankedTensorType type, ArrayRef<int64_t> permutation);

/// The bytes of a tensor; a size that is not known counts as `kAssumedSize`.
int64_t estimateBytes(RankedTensorType type);
inline constexpr int64_t kAssumedSize = 32;

/// Each op that has a layout rule, each value that control flow carries, and each
/// argument and result of a private function that is only called, is natural or
/// transposed as a whole. A value that is made in one order and used in the other
/// costs its bytes once, times `kAssumedTrips` for each loop around it.
class LayoutProblem {
public:
  LayoutProblem(ModuleOp module, ArrayRef<int64_t> permutation);

  /// Whether an op wants to be transposed.
  bool hasWish() const { return !wishes.empty(); }
  /// Chooses. The answers below are those of the function as it was.
  void solve();

  bool isTransposed(Operation *op) const;
  /// Of a block argument or a result.
  bool isTransposed(Value value) const;
  bool isTransposed(OpOperand &use) const;

private:
  void addOp(LayoutOpInterface op);
  void addCarried(Operation *op);
  void addFunction(func::FuncOp function);
  void addValue(Value value);
  unsigned getNodeOf(OpOperand &use) const;
  bool hasRank(Value value) const;

  ArrayRef<int64_t> permutation;
  ModuleOp module;
  MinimumCut cut;
  DenseMap<Operation *, unsigned> opNodes;
  DenseMap<Value, unsigned> definitions;
  DenseMap<OpOperand *, unsigned> uses;
  SmallVector<unsigned> wishes;
};

} // namespace mlir::mindir

#endif // MINDIR_LIB_TRANSFORMS_LAYOUT_LAYOUTPROBLEM_H
