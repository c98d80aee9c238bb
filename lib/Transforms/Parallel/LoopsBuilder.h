//===- LoopsBuilder.h - loops of an op by hand ----------------------------===//
//
// Builds the loops of ops that are no structured ones, family by family.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_TRANSFORMS_PARALLEL_LOOPSBUILDER_H
#define MINDIR_LIB_TRANSFORMS_PARALLEL_LOOPSBUILDER_H

#include "ShardingLoops.h"

namespace mlir::mindir {

/// A dimension of an operand or result that no loop splits.
constexpr int64_t kWhole = -1;

/// Builds maps from lists of loop numbers, `kWhole` where nothing splits.
class LoopsBuilder {
public:
  LoopsBuilder(MLIRContext *context, unsigned numLoops) : context(context) {
    loops.iterators.append(numLoops, utils::IteratorType::parallel);
  }
  /// The op sums over this loop.
  LoopsBuilder &reduce(unsigned loop) {
    loops.iterators[loop] = utils::IteratorType::reduction;
    loops.reduction = shard::ReductionKind::Sum;
    return *this;
  }
  /// Adds the map of the next operand or result.
  LoopsBuilder &add(ArrayRef<int64_t> dims) {
    SmallVector<AffineExpr> exprs;
    for (int64_t dim : dims)
      exprs.push_back(dim == kWhole ? getAffineConstantExpr(0, context)
                                    : getAffineDimExpr(dim, context));
    loops.maps.push_back(AffineMap::get(loops.iterators.size(), 0, exprs, context));
    return *this;
  }
  /// Adds maps of scalars, such as dynamic sizes.
  LoopsBuilder &addScalars(unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      add({});
    return *this;
  }
  ShardingLoops build() { return std::move(loops); }

private:
  MLIRContext *context;
  ShardingLoops loops;
};

/// Loop `i` for each of `rank` dimensions, but for those in `except`.
inline SmallVector<int64_t> getDimsExcept(int64_t rank, ArrayRef<int64_t> except) {
  SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < rank; ++dim)
    dims.push_back(llvm::is_contained(except, dim) ? kWhole : dim);
  return dims;
}

/// The loops of each family's ops; none for an op that is not of the family.
std::optional<ShardingLoops> getImageLoops(Operation *op);
std::optional<ShardingLoops> getMovementLoops(Operation *op);
std::optional<ShardingLoops> getIndexingLoops(Operation *op);

} // namespace mlir::mindir

#endif // MINDIR_LIB_TRANSFORMS_PARALLEL_LOOPSBUILDER_H
