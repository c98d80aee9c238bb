//===- ChunkFunctions.h - parallel loops as functions ---------------------===//
//
// Outlines a range of independent iterations into a function that runs any part of it.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_CODEGEN_CPU_CHUNKFUNCTIONS_H
#define MINDIR_LIB_CODEGEN_CPU_CHUNKFUNCTIONS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::mindir {

/// Marks functions `(captured..., lo, hi, grain)` that run iterations [lo, hi).
inline constexpr StringLiteral kChunkName = "mindir.chunk";

/// The range [0, n) as one chunk: a loop that runs once, whose body takes the chunk's
/// bounds from `lo` and `hi`. The body may be cut at any iteration.
struct Chunk {
  Chunk(OpBuilder &builder, Location loc, Value n);
  scf::ForOp loop;
  Value lo, hi;
};

/// Moves the chunk's body into a function and calls it with [0, n); `grain` is the
/// least number of iterations worth a thread.
void outlineChunk(OpBuilder &builder, Chunk chunk, Value n, Value grain);

} // namespace mlir::mindir

#endif // MINDIR_LIB_CODEGEN_CPU_CHUNKFUNCTIONS_H
