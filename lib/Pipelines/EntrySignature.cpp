//===- EntrySignature.cpp - the recorded signature of an entry ------------===//
//
// Reads the attributes that the passes of the Memory phase leave on an entry.
//
//===----------------------------------------------------------------------===//

#include "mindir/Pipelines/Pipelines.h"

#include "mindir/Transforms/Memory/EntryAttributes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace mlir::mindir;

unsigned EntrySignature::getNumReturned() const {
  return llvm::count_if(results,
                        [](const EntryResult &r) { return r.position; });
}

static RankedTensorType readType(DictionaryAttr entry) {
  auto type = entry.getAs<TypeAttr>(kEntryTypeName);
  return type ? dyn_cast<RankedTensorType>(type.getValue()) : nullptr;
}

static std::optional<unsigned> readNumber(DictionaryAttr entry, StringRef name) {
  auto number = entry.getAs<IntegerAttr>(name);
  if (!number)
    return std::nullopt;
  return number.getInt();
}

FailureOr<EntrySignature> EntrySignature::get(ModuleOp module, StringRef name) {
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function)
    return module.emitError("expected a lowered function '")
           << name << "', found none; run mindir-cpu-pipeline first";
  auto arguments = function->getAttrOfType<ArrayAttr>(kEntryArgumentsName);
  auto results = function->getAttrOfType<ArrayAttr>(kEntryResultsName);
  if (!arguments || !results)
    return function.emitError("'")
           << name << "' is not an entry: only public functions are";
  EntrySignature signature;
  signature.name = name.str();
  for (auto entry : arguments.getAsRange<DictionaryAttr>())
    signature.arguments.push_back({readType(entry),
                                   entry.contains(kEntryParameterName),
                                   entry.contains(kEntryDonatedName)});
  for (auto entry : results.getAsRange<DictionaryAttr>())
    signature.results.push_back({readType(entry),
                                 readNumber(entry, kEntryUpdatesName),
                                 readNumber(entry, kEntryPositionName)});
  return signature;
}
