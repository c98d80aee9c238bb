//===- VMap.h - functions over a leading dimension ------------------------===//
//
// Derives the function that runs a function once per lane of a new leading
// dimension, each choice of arguments once.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_TRANSFORMS_AUTODIFF_VMAP_H
#define MINDIR_LIB_TRANSFORMS_AUTODIFF_VMAP_H

#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"

#include <map>

namespace mlir::mindir {

/// The type of a value that differs between lanes: one dimension more in front,
/// `size` or unknown. A scalar becomes a vector.
RankedTensorType getBatchedType(Type type, int64_t size);

/// Values of `function`, in nested regions too, that differ between lanes when the
/// arguments `batched` do. Random numbers always differ.
llvm::DenseSet<Value> computeBatched(func::FuncOp function,
                                     ArrayRef<unsigned> batched);

/// vmap over the functions of one module.
class VMapMode {
public:
  explicit VMapMode(SymbolTable &symbols) : symbols(symbols) {}

  /// Derives, or finds, the function over lanes: the arguments `batched` and all
  /// results have a leading dimension more, of size `size` (or unknown). Functions
  /// that @function reaches must be free of vmap; vjp and jvp in them become those
  /// of functions over lanes.
  FailureOr<func::FuncOp> derive(func::FuncOp function,
                                 ArrayRef<unsigned> batched, int64_t size);

  SymbolTable &getSymbols() { return symbols; }

private:
  using Key = std::tuple<Operation *, SmallVector<unsigned>, int64_t>;
  SymbolTable &symbols;
  std::map<Key, func::FuncOp> known;
};

} // namespace mlir::mindir

#endif // MINDIR_LIB_TRANSFORMS_AUTODIFF_VMAP_H
