//===- MemRef.h - Strided tensors in memory ---------------------*- C++ -*-===//
//
// Checks, copies and fills of the C ABI's MindrtMemRef.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_RUNTIME_MEMREF_H
#define MINDIR_RUNTIME_MEMREF_H

#include "mindir/Runtime/DType.h"
#include "mindir/Runtime/Status.h"

#include <functional>
#include <string>

namespace mindrt {

/// Fails unless dtype and rank are known, sizes are not negative and the dense
/// size in bytes fits int64; writes that size to `bytes`.
Status checkMemRef(const MindrtMemRef &memref, int64_t &bytes);

/// Whether some size is 0.
bool isEmpty(const MindrtMemRef &memref);

/// "float32[2, 3]", for error texts.
std::string describeType(const MindrtMemRef &memref);

/// Calls `visit(pointer, bytes)` for each piece of a checked `memref` that lies
/// in one piece, in row-major order.
void forEachRun(const MindrtMemRef &memref,
                const std::function<void(char *, int64_t)> &visit);

/// Copies the elements of a checked `source`, in row-major order, to `target`.
void copyToDense(const MindrtMemRef &source, void *target);

/// Writes zeros to every element of a checked `target`.
void fillZero(const MindrtMemRef &target);

} // namespace mindrt

#endif // MINDIR_RUNTIME_MEMREF_H
