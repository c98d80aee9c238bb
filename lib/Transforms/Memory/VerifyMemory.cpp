//===- VerifyMemory.cpp - the Memory phase's contract ---------------------===//
//
// Verifies that buffers are what the phase promises.
//
//===----------------------------------------------------------------------===//

#include "mindir/Transforms/Memory/Passes.h"

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Transforms/Memory/EntryAttributes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_VERIFYMEMORY
#include "mindir/Transforms/Memory/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

static bool isTensor(Type type) { return isa<TensorType>(type); }

static LogicalResult verifyBufferized(Operation *op) {
  if (llvm::any_of(op->getOperandTypes(), isTensor) ||
      llvm::any_of(op->getResultTypes(), isTensor))
    return op->emitOpError("is still on tensors behind the Memory phase");
  return success();
}

/// The buffers that a use may make of a buffer: views, carried and merged values.
static void collectDerived(OpOperand &use, SmallVectorImpl<Value> &derived) {
  Operation *user = use.getOwner();
  if (isa<ViewLikeOpInterface, arith::SelectOp>(user)) {
    derived.push_back(user->getResult(0));
    return;
  }
  if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(user)) {
    derived.push_back(metadata.getBaseBuffer());
    return;
  }
  Operation *parent = user->hasTrait<OpTrait::IsTerminator>()
                          ? user->getParentOp()
                          : user;
  if (!isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::IndexSwitchOp>(parent))
    return;
  llvm::append_range(derived, parent->getResults());
  for (Region &region : parent->getRegions())
    for (Block &block : region)
      llvm::append_range(derived, block.getArguments());
}

/// Whether some use frees the buffer or returns it.
static bool isFreedOrLeaves(Value buffer) {
  llvm::SetVector<Value> reached;
  reached.insert(buffer);
  for (unsigned i = 0; i < reached.size(); ++i)
    for (OpOperand &use : reached[i].getUses()) {
      if (isa<memref::DeallocOp, func::ReturnOp>(use.getOwner()))
        return true;
      SmallVector<Value> derived;
      collectDerived(use, derived);
      for (Value value : derived)
        if (isa<BaseMemRefType>(value.getType()))
          reached.insert(value);
    }
  return false;
}

static LogicalResult verifyAlloc(memref::AllocOp op) {
  if (!isFreedOrLeaves(op))
    return op.emitOpError("is never freed and does not leave the function");
  return success();
}

/// Copies into the buffer of an entry's argument are updates that were counted. Private
/// functions write their results into buffers of their callers.
static LogicalResult verifyCopy(memref::CopyOp op) {
  Value base = op.getTarget();
  while (auto view = base.getDefiningOp<ViewLikeOpInterface>())
    base = view.getViewSource();
  auto argument = dyn_cast<BlockArgument>(base);
  if (!argument || op->hasAttr(kUpdateCopyName))
    return success();
  Operation *function = argument.getOwner()->getParentOp();
  if (!function->hasAttr(kEntryArgumentsName))
    return success();
  return op.emitOpError("copies into the buffer of argument ")
         << argument.getArgNumber() << ", and is no reported update";
}

/// The loops of kernels alone are linalg ops, and kernels have nothing else to do.
static LogicalResult verifyPlace(linalg::LinalgOp op,
                                 const llvm::StringSet<> &kernels) {
  auto function = op->getParentOfType<func::FuncOp>();
  bool isFill = isa<linalg::FillOp>(op.getOperation());
  if (isFill || (function && kernels.contains(function.getName())))
    return success();
  return op->emitOpError("stands in the schedule, outside of a kernel");
}

/// Updates of donated arguments are in their buffers, not returned.
static LogicalResult verifyEntry(func::FuncOp function) {
  auto results = function->getAttrOfType<ArrayAttr>(kEntryResultsName);
  auto arguments = function->getAttrOfType<ArrayAttr>(kEntryArgumentsName);
  if (!results || !arguments)
    return success();
  int64_t returned = 0;
  for (auto result : results.getAsRange<DictionaryAttr>()) {
    bool isReturned = result.contains(kEntryPositionName);
    returned += isReturned;
    auto updates = result.getAs<IntegerAttr>(kEntryUpdatesName);
    if (!updates || !isReturned)
      continue;
    auto argument = cast<DictionaryAttr>(arguments[updates.getInt()]);
    if (argument.contains(kEntryDonatedName))
      return function.emitOpError("returns the update of donated argument ")
             << updates.getInt() << " instead of leaving it in its buffer";
  }
  if (returned != function.getNumResults())
    return function.emitOpError("records ")
           << returned << " returned results, but has "
           << function.getNumResults();
  return success();
}

namespace {

struct VerifyMemory : mlir::mindir::impl::VerifyMemoryBase<VerifyMemory> {
  void runOnOperation() override {
    llvm::StringSet<> kernels;
    getOperation().walk(
        [&](LaunchOp launch) { kernels.insert(launch.getKernel()); });
    WalkResult result = getOperation().walk([&](Operation *op) {
      return WalkResult(verify(op, kernels));
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  static LogicalResult verify(Operation *op, const llvm::StringSet<> &kernels) {
    if (failed(verifyBufferized(op)))
      return failure();
    if (auto function = dyn_cast<func::FuncOp>(op))
      return verifyEntry(function);
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      return verifyAlloc(alloc);
    if (auto copy = dyn_cast<memref::CopyOp>(op))
      return verifyCopy(copy);
    if (auto loops = dyn_cast<linalg::LinalgOp>(op))
      return verifyPlace(loops, kernels);
    return success();
  }
};

} // namespace
