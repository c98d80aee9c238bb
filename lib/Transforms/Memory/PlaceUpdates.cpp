//===- PlaceUpdates.cpp - updates are computed into their argument --------===//
//
// Gives the op that computes an update the donated argument as its init, behind the
// argument's last reader.
//
//===----------------------------------------------------------------------===//

#include "mindir/Transforms/Memory/Passes.h"

#include "mindir/Transforms/Memory/EntryAttributes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_PLACEUPDATES
#include "mindir/Transforms/Memory/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

/// The init of a result that is an empty tensor of the argument's type, possibly
/// below a fill; null when there is none.
static OpOperand *findEmptyInit(OpResult result, BlockArgument argument) {
  auto style = dyn_cast<DestinationStyleOpInterface>(result.getOwner());
  if (!style || result.getOwner()->getBlock() != argument.getOwner())
    return nullptr;
  OpOperand *init = style.getTiedOpOperand(result);
  auto fill = init->get().getDefiningOp<linalg::FillOp>();
  if (fill && fill->hasOneUse())
    init = &fill.getOutputsMutable()[0];
  auto empty = init->get().getDefiningOp<tensor::EmptyOp>();
  return empty && empty.getType() == argument.getType() ? init : nullptr;
}

/// Whether the results of the op are views of its operand's elements.
static bool isView(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
             tensor::ExtractSliceOp, tensor::ReshapeOp>(op);
}

/// The last op of the argument's block that reads `value`, the argument or a view of
/// it; `except` aside.
static Operation *findLastReader(Value value, BlockArgument argument,
                                 Operation *except) {
  Operation *last = nullptr;
  auto consider = [&](Operation *reader) {
    if (reader && reader != except && (!last || last->isBeforeInBlock(reader)))
      last = reader;
  };
  for (Operation *user : value.getUsers()) {
    consider(argument.getOwner()->findAncestorOpInBlock(*user));
    if (isView(user))
      consider(findLastReader(user->getResult(0), argument, except));
  }
  return last;
}

/// Moves `op` behind `reader` unless a user of it stands before. Whether it stands
/// there now.
static bool sinkBehind(Operation *op, Operation *reader) {
  if (!reader || reader->isBeforeInBlock(op))
    return true;
  for (Operation *user : op->getUsers()) {
    Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
    if (ancestor == reader || ancestor->isBeforeInBlock(reader))
      return false;
  }
  op->moveAfter(reader);
  return true;
}

namespace {

struct PlaceUpdates : mlir::mindir::impl::PlaceUpdatesBase<PlaceUpdates> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(kEntryResultsName))
        place(function);
  }

private:
  void place(func::FuncOp function) {
    auto results = function->getAttrOfType<ArrayAttr>(kEntryResultsName);
    auto arguments = function->getAttrOfType<ArrayAttr>(kEntryArgumentsName);
    auto returnOp = cast<func::ReturnOp>(function.back().getTerminator());
    unsigned operand = 0;
    for (auto entry : results.getAsRange<DictionaryAttr>()) {
      if (!entry.contains(kEntryTypeName))
        continue;
      Value value = returnOp.getOperand(operand++);
      auto updates = entry.getAs<IntegerAttr>(kEntryUpdatesName);
      if (!updates)
        continue;
      auto argument = cast<DictionaryAttr>(arguments[updates.getInt()]);
      if (argument.contains(kEntryDonatedName))
        placeUpdate(value, function.getArgument(updates.getInt()));
    }
  }

  void placeUpdate(Value value, BlockArgument argument) {
    auto result = dyn_cast<OpResult>(value);
    if (!result)
      return;
    OpOperand *init = findEmptyInit(result, argument);
    Operation *op = result.getOwner();
    if (!init || !sinkBehind(op, findLastReader(argument, argument, op)))
      return;
    // A fill overwrites the argument, so it stands behind the readers too, and the
    // op must not be one of them.
    if (init->getOwner() != op) {
      if (llvm::is_contained(op->getOperands(), argument))
        return;
      init->getOwner()->moveBefore(op);
    }
    init->set(argument);
    ++numPlaced;
  }
};

} // namespace
