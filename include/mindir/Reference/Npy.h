//===- Npy.h - tensors as .npy files --------------------------------------===//
//
// Reads and writes numpy's file format, version 1 to 3, little-endian.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_REFERENCE_NPY_H
#define MINDIR_REFERENCE_NPY_H

#include "mindir/Reference/Tensor.h"

#include "llvm/Support/Error.h"

namespace mlir::mindir::reference {

/// Reads a C-ordered array. `expected` is the dtype that the reader wants: it
/// tells bfloat16 and index, which numpy lacks, from two raw bytes and int64.
llvm::Expected<Tensor> readNpy(StringRef path, DType expected);

/// Writes a tensor; bfloat16 as two raw bytes an element ("<V2").
llvm::Error writeNpy(StringRef path, const Tensor &tensor);

} // namespace mlir::mindir::reference

#endif // MINDIR_REFERENCE_NPY_H
