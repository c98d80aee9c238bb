//===- LoweredOps.h - which ops have a lowering ---------------------------===//
//
// What convert-mindir-to-linalg can convert, for documents and tests.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_CONVERSION_LOWEREDOPS_H
#define MINDIR_CONVERSION_LOWEREDOPS_H

#include "llvm/ADT/StringSet.h"

namespace mlir {
class MLIRContext;
namespace mindir {

/// The names of the mindir ops that a pattern of convert-mindir-to-linalg converts.
llvm::StringSet<> getLoweredOps(MLIRContext &context);

} // namespace mindir
} // namespace mlir

#endif // MINDIR_CONVERSION_LOWEREDOPS_H
