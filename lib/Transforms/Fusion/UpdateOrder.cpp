//===- UpdateOrder.cpp - updates stay behind the readers of their argument ===//
//
// Which merges would keep an update from being computed in its argument's buffer.
//
//===----------------------------------------------------------------------===//

#include "UpdateOrder.h"

#include "mindir/Transforms/Memory/EntryAttributes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::mindir;

UpdateOrder::UpdateOrder(func::FuncOp function) {
  auto results = function->getAttrOfType<ArrayAttr>(kEntryResultsName);
  auto arguments = function->getAttrOfType<ArrayAttr>(kEntryArgumentsName);
  if (!results || !arguments || function.isDeclaration())
    return;
  Operation *returnOp = function.back().getTerminator();
  unsigned operand = 0;
  for (auto entry : results.getAsRange<DictionaryAttr>()) {
    if (!entry.contains(kEntryTypeName))
      continue;
    OpOperand &returned = returnOp->getOpOperand(operand++);
    auto index = entry.getAs<IntegerAttr>(kEntryUpdatesName);
    if (!index)
      continue;
    auto argument = cast<DictionaryAttr>(arguments[index.getInt()]);
    if (argument.contains(kEntryDonatedName))
      updates.push_back({&returned, function.getArgument(index.getInt())});
  }
}

/// The ops that read the value or a view of it.
static void collectReaders(Value value, llvm::SetVector<Operation *> &readers) {
  for (Operation *user : value.getUsers()) {
    bool isView = isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                      tensor::CastOp, tensor::ExtractSliceOp>(user);
    if (isView)
      collectReaders(user->getResult(0), readers);
    else
      readers.insert(user);
  }
}

bool UpdateOrder::allows(Operation *first, Operation *second) const {
  for (const Update &update : updates) {
    Operation *op = update.returned->get().getDefiningOp();
    llvm::SetVector<Operation *> readers;
    collectReaders(update.argument, readers);
    bool computes = op == first || op == second;
    bool reads = readers.contains(first) || readers.contains(second);
    if (!op || (!computes && !reads))
      continue;
    SetVector<Operation *> behind;
    getForwardSlice(op, &behind);
    if (computes)
      getForwardSlice(op == first ? second : first, &behind);
    for (Operation *reader : readers) {
      bool isMerged = reader == first || reader == second;
      if (!(computes && isMerged) && reader != op && behind.contains(reader))
        return false;
    }
    if (!computes && reads && (behind.contains(first) || behind.contains(second)))
      return false;
  }
  return true;
}
