//===- UpdateOrder.h - updates stay behind the readers of their argument --===//
//
// Which merges would keep an update from being computed in its argument's buffer.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_TRANSFORMS_FUSION_UPDATEORDER_H
#define MINDIR_LIB_TRANSFORMS_FUSION_UPDATEORDER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::mindir {

/// The updates of donated arguments that an entry returns.
class UpdateOrder {
public:
  /// Nothing is known of a function that is not an entry; every merge is then fine.
  explicit UpdateOrder(func::FuncOp function);

  /// Whether each update could still be computed behind all readers of its argument,
  /// views included, if the two ops were one.
  bool allows(Operation *first, Operation *second) const;

private:
  struct Update {
    OpOperand *returned;
    BlockArgument argument;
  };
  SmallVector<Update> updates;
};

} // namespace mlir::mindir

#endif // MINDIR_LIB_TRANSFORMS_FUSION_UPDATEORDER_H
