//===- IndexingLoops.cpp - loops of ops that index by tensors -------------===//
//
// The indices' own dimensions can be split, and those of the slices that they take;
// the axis that they point into is whole.
//
//===----------------------------------------------------------------------===//

#include "LoopsBuilder.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::mindir;

static int64_t getRank(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank();
}

static ShardingLoops getIotaLoops(IotaOp op) {
  int64_t rank = getRank(op.getResult());
  return LoopsBuilder(op.getContext(), rank)
      .addScalars(op.getDynamicSizes().size())
      .add(getDimsExcept(rank, static_cast<int64_t>(op.getAxis())))
      .build();
}

static ShardingLoops getOneHotLoops(OneHotOp op) {
  int64_t rank = getRank(op.getIndices());
  SmallVector<int64_t> dims = getDimsExcept(rank, {}), marked = dims;
  marked.push_back(kWhole);
  return LoopsBuilder(op.getContext(), rank).add(dims).add(marked).build();
}

namespace {
/// The loops of `gathered[a.., i.., b..] = tensor[a.., indices[i..], b..]`.
struct GatherDims {
  GatherDims(int64_t axis, int64_t numIndices, int64_t rank) {
    gathered = getDimsExcept(rank, {});
    indices.assign(gathered.begin() + axis, gathered.begin() + axis + numIndices);
    tensor.assign(gathered.begin(), gathered.begin() + axis);
    tensor.push_back(kWhole);
    tensor.append(gathered.begin() + axis + numIndices, gathered.end());
  }
  SmallVector<int64_t> tensor, indices, gathered;
};
} // namespace

static ShardingLoops getGatherLoops(GatherOp op) {
  int64_t rank = getRank(op.getResult());
  GatherDims dims(op.getAxis(), getRank(op.getIndices()), rank);
  return LoopsBuilder(op.getContext(), rank)
      .add(dims.tensor)
      .add(dims.indices)
      .add(dims.gathered)
      .build();
}

/// The updates are summed over the indices.
static ShardingLoops getScatterAddLoops(ScatterAddOp op) {
  int64_t rank = getRank(op.getUpdates());
  GatherDims dims(op.getAxis(), getRank(op.getIndices()), rank);
  LoopsBuilder builder(op.getContext(), rank);
  for (int64_t loop : dims.indices)
    builder.reduce(loop);
  return builder.add(dims.tensor)
      .add(dims.indices)
      .add(dims.gathered)
      .add(dims.tensor)
      .build();
}

std::optional<ShardingLoops> mindir::getIndexingLoops(Operation *op) {
  using Loops = std::optional<ShardingLoops>;
  return llvm::TypeSwitch<Operation *, Loops>(op)
      .Case([](IotaOp op) -> Loops { return getIotaLoops(op); })
      .Case([](OneHotOp op) -> Loops { return getOneHotLoops(op); })
      .Case([](GatherOp op) -> Loops { return getGatherLoops(op); })
      .Case([](ScatterAddOp op) -> Loops { return getScatterAddLoops(op); })
      .Default([](Operation *) -> Loops { return std::nullopt; });
}
