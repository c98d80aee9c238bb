//===- VectorBody.h - which loop bodies run on vectors ----------*- C++ -*-===//
//
// What Fusion and code generation must agree on: the bodies that can be computed on
// vectors of elements, and the outputs that accumulate.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_ANALYSIS_VECTORBODY_H
#define MINDIR_ANALYSIS_VECTORBODY_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::mindir {

/// Bytes of the vectors that kernels are made of: the widest registers of the
/// targets; narrower ones split them.
inline constexpr int64_t kVectorBytes = 64;

/// The number of elements in a vector of the body's widest type; 0 when the body
/// cannot run on vectors: it holds an op that a vector would compute element by
/// element (a call of libm, an integer division), an index, or a type that memory
/// stores otherwise than registers (i1). Works on tensors and on buffers.
int64_t getVectorLanes(linalg::GenericOp op);

/// The op that combines output `output` with an element, when that output
/// accumulates: its old value is read only by an op with a neutral element, whose
/// result is the new value. Null otherwise.
Operation *getCombiner(linalg::GenericOp op, unsigned output);

/// Whether the map depends on every dimension, each as one of its results alone.
bool coversDomain(AffineMap map);

/// Whether outputs of these maps can be computed by one nest of loops whose innermost
/// is `inner`: one that accumulates depends, beside the loops that all depend on, on
/// the innermost at most.
bool haveCommonLoops(ArrayRef<AffineMap> outputMaps, unsigned inner);

} // namespace mlir::mindir

#endif // MINDIR_ANALYSIS_VECTORBODY_H
