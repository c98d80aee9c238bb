//===- EntryAttributes.h - names of an entry's recorded attributes --------===//
//
// The signature of an entry is recorded before its types are lowered, as two
// arrays of dictionaries on the function:
//   mindir.arguments = [{type = tensor<4xui8>, parameter, donated}, ...]
//   mindir.results = [{type = tensor<4xf32>, updates = 0, position = 1}, ...]
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_TRANSFORMS_MEMORY_ENTRYATTRIBUTES_H
#define MINDIR_TRANSFORMS_MEMORY_ENTRYATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace mlir::mindir {

inline constexpr llvm::StringLiteral kEntryArgumentsName = "mindir.arguments";
inline constexpr llvm::StringLiteral kEntryResultsName = "mindir.results";
inline constexpr llvm::StringLiteral kEntryTypeName = "type";
inline constexpr llvm::StringLiteral kEntryParameterName = "parameter";
inline constexpr llvm::StringLiteral kEntryDonatedName = "donated";
inline constexpr llvm::StringLiteral kEntryUpdatesName = "updates";
inline constexpr llvm::StringLiteral kEntryPositionName = "position";
/// Marks a copy of an update into its argument's buffer.
inline constexpr llvm::StringLiteral kUpdateCopyName = "mindir.update_copy";

} // namespace mlir::mindir

#endif // MINDIR_TRANSFORMS_MEMORY_ENTRYATTRIBUTES_H
