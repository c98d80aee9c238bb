//===- BindUpdates.cpp - updates end in their argument's buffer -----------===//
//
// Drops the results that a donated argument's buffer holds, copying those that do
// not lie there yet, and gives the others their positions.
//
//===----------------------------------------------------------------------===//

#include "mindir/Transforms/Memory/Passes.h"

#include "mindir/Transforms/Memory/EntryAttributes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_BINDUPDATES
#include "mindir/Transforms/Memory/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

/// The buffer below casts that keep all of it.
static Value stripCasts(Value buffer) {
  while (auto cast = buffer.getDefiningOp<memref::CastOp>())
    buffer = cast.getSource();
  return buffer;
}

/// The buffer that a value is a view of, as far as it can be followed.
static Value getBase(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

/// A fresh buffer with the contents of `source`.
static Value copyToFresh(OpBuilder &b, Location loc, Value source) {
  auto type = cast<MemRefType>(source.getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(memref::DimOp::create(b, loc, source, dim));
  auto fresh = MemRefType::get(type.getShape(), type.getElementType());
  Value result = memref::AllocOp::create(b, loc, fresh, sizes);
  memref::CopyOp::create(b, loc, source, result);
  return memref::CastOp::areCastCompatible(fresh, type) && fresh != type
             ? memref::CastOp::create(b, loc, type, result).getResult()
             : result;
}

namespace {

/// The results of one entry and where each is to end.
struct Entry {
  explicit Entry(func::FuncOp function)
      : function(function),
        results(function->getAttrOfType<ArrayAttr>(kEntryResultsName)),
        arguments(function->getAttrOfType<ArrayAttr>(kEntryArgumentsName)) {}

  /// The donated argument that result `index` updates, if it does.
  BlockArgument getTarget(unsigned index) {
    auto updates = cast<DictionaryAttr>(results[index])
                       .getAs<IntegerAttr>(kEntryUpdatesName);
    if (!updates)
      return {};
    auto argument = cast<DictionaryAttr>(arguments[updates.getInt()]);
    if (!argument.contains(kEntryDonatedName))
      return {};
    return function.getArgument(updates.getInt());
  }

  bool isTensor(unsigned index) {
    return cast<DictionaryAttr>(results[index]).contains(kEntryTypeName);
  }

  func::FuncOp function;
  ArrayAttr results, arguments;
};

struct BindUpdates : mlir::mindir::impl::BindUpdatesBase<BindUpdates> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(kEntryResultsName))
        bind(Entry(function));
  }

private:
  void bind(Entry entry) {
    SmallVector<BlockArgument> targets; // of each returned value, or null
    for (unsigned index = 0; index < entry.results.size(); ++index)
      if (entry.isTensor(index))
        targets.push_back(entry.getTarget(index));
    BitVector dropped(targets.size());
    for (auto [index, target] : llvm::enumerate(targets))
      dropped[index] = bool(target);
    entry.function.walk([&](func::ReturnOp op) { bindReturn(op, targets); });
    entry.function.walk([&](func::ReturnOp op) { op->eraseOperands(dropped); });
    (void)entry.function.eraseResults(dropped);
    recordPositions(entry, dropped);
  }

  void bindReturn(func::ReturnOp op, ArrayRef<BlockArgument> targets) {
    OpBuilder b(op);
    // A value that lies in a buffer about to be overwritten moves out first.
    for (auto [operand, target] : llvm::zip(op->getOpOperands(), targets)) {
      Value base = getBase(operand.get());
      bool isInPlace = target && stripCasts(operand.get()) == target;
      if (!isInPlace && llvm::is_contained(targets, base))
        operand.set(copyToFresh(b, op.getLoc(), operand.get()));
    }
    for (auto [operand, target] : llvm::zip(op->getOpOperands(), targets)) {
      if (!target)
        continue;
      if (stripCasts(operand.get()) == target) {
        ++numInPlace;
        continue;
      }
      ++numCopied;
      auto copy = memref::CopyOp::create(b, op.getLoc(), operand.get(), target);
      copy->setAttr(kUpdateCopyName, b.getUnitAttr());
      report(operand.get(), target);
    }
  }

  static void report(Value value, BlockArgument target) {
    remark::missed(value.getLoc(),
                   remark::RemarkOpts::name("BindUpdates").category("memory"))
        << "copied: the update of argument " << std::to_string(target.getArgNumber())
        << " is not computed in its buffer; it is not the result of an op that can "
           "write there, or is used before the argument's last reader";
  }

  static void recordPositions(Entry &entry, const BitVector &dropped) {
    Builder b(entry.function.getContext());
    SmallVector<Attribute> results;
    unsigned returned = 0, position = 0;
    for (auto result : entry.results.getAsRange<DictionaryAttr>()) {
      NamedAttrList attributes(result);
      if (result.contains(kEntryTypeName) && !dropped[returned++])
        attributes.set(kEntryPositionName, b.getI64IntegerAttr(position++));
      results.push_back(attributes.getDictionary(b.getContext()));
    }
    entry.function->setAttr(kEntryResultsName, b.getArrayAttr(results));
  }
};

} // namespace
