//===- RecordEntries.cpp - record the signature of each entry -------------===//
//
// Writes down what a public function takes and returns, before lowering.
//
//===----------------------------------------------------------------------===//

#include "mindir/Transforms/Memory/Passes.h"

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Transforms/Memory/EntryAttributes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_RECORDENTRIES
#include "mindir/Transforms/Memory/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

static constexpr StringLiteral kParameter = "mindir.parameter";
static constexpr StringLiteral kDonated = "mindir.donated";
static constexpr StringLiteral kUpdates = "mindir.updates";

static void addType(Builder &b, NamedAttrList &entry, Type type) {
  if (isa<RankedTensorType>(type))
    entry.set(kEntryTypeName, TypeAttr::get(type));
}

static ArrayAttr describeArguments(func::FuncOp function) {
  Builder b(function.getContext());
  SmallVector<Attribute> entries;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    NamedAttrList entry;
    addType(b, entry, type);
    if (function.getArgAttr(index, kParameter))
      entry.set(kEntryParameterName, b.getUnitAttr());
    if (function.getArgAttr(index, kDonated))
      entry.set(kEntryDonatedName, b.getUnitAttr());
    entries.push_back(entry.getDictionary(b.getContext()));
  }
  return b.getArrayAttr(entries);
}

static ArrayAttr describeResults(func::FuncOp function) {
  Builder b(function.getContext());
  SmallVector<Attribute> entries;
  for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
    NamedAttrList entry;
    addType(b, entry, type);
    if (auto updates = function.getResultAttrOfType<IntegerAttr>(index, kUpdates))
      entry.set(kEntryUpdatesName, b.getI64IntegerAttr(updates.getInt()));
    entries.push_back(entry.getDictionary(b.getContext()));
  }
  return b.getArrayAttr(entries);
}

/// Removes the token results of an entry and of its returns.
static LogicalResult eraseTokens(func::FuncOp function) {
  BitVector tokens(function.getNumResults());
  for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
    if (isa<TokenType>(type))
      tokens.set(index);
  if (tokens.none())
    return success();
  function.walk([&](func::ReturnOp op) { op->eraseOperands(tokens); });
  return function.eraseResults(tokens);
}

/// An entry takes and returns ranked tensors (and returns tokens).
static LogicalResult verifyEntry(func::FuncOp function) {
  for (Type type : function.getArgumentTypes())
    if (!isa<RankedTensorType>(type))
      return function.emitError("an entry takes ranked tensors, but '")
             << function.getName() << "' takes " << type;
  for (Type type : function.getResultTypes())
    if (!isa<RankedTensorType, TokenType>(type))
      return function.emitError("an entry returns ranked tensors, but '")
             << function.getName() << "' returns " << type;
  return success();
}

namespace {

struct RecordEntries
    : mlir::mindir::impl::RecordEntriesBase<RecordEntries> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isDeclaration() && failed(record(function)))
        return signalPassFailure();
  }

private:
  static LogicalResult record(func::FuncOp function) {
    Builder b(function.getContext());
    StringRef writable = bufferization::BufferizationDialect::kWritableAttrName;
    if (!function.isPublic())
      return success();
    if (failed(verifyEntry(function)))
      return failure();
    function->setAttr(kEntryArgumentsName, describeArguments(function));
    function->setAttr(kEntryResultsName, describeResults(function));
    function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                      b.getUnitAttr());
    for (unsigned index = 0; index < function.getNumArguments(); ++index) {
      bool isDonated = bool(function.getArgAttr(index, kDonated));
      function.setArgAttr(index, writable, b.getBoolAttr(isDonated));
      function.removeArgAttr(index, b.getStringAttr(kDonated));
      function.removeArgAttr(index, b.getStringAttr(kParameter));
    }
    for (unsigned index = 0; index < function.getNumResults(); ++index)
      function.removeResultAttr(index, b.getStringAttr(kUpdates));
    return eraseTokens(function);
  }
};

} // namespace
