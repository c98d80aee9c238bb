//===- MovementLoops.cpp - loops of ops that move elements ----------------===//
//
// A dimension can be split where the op moves nothing along it.
//
//===----------------------------------------------------------------------===//

#include "LoopsBuilder.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::mindir;

static RankedTensorType getRankedType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Cuts the shapes into the shortest groups of dimensions with equal numbers of
/// elements. The first dimension of size above one of each side of a group is
/// outermost in it: to split both is the same.
static ShardingLoops getReshapeLoops(ReshapeOp op) {
  auto input = cast<RankedTensorType>(op.getInput().getType());
  RankedTensorType result = op.getType();
  SmallVector<int64_t> inputDims(input.getRank(), kWhole);
  SmallVector<int64_t> resultDims(result.getRank(), kWhole);
  unsigned numLoops = 0;
  bool isStatic = input.hasStaticShape() && result.hasStaticShape() &&
                  input.getNumElements() > 0;
  for (int64_t i = 0, j = 0; isStatic && i < input.getRank() && j < result.getRank();) {
    if (input.getDimSize(i) == 1 || result.getDimSize(j) == 1) {
      (input.getDimSize(i) == 1 ? i : j) += 1;
      continue;
    }
    inputDims[i] = resultDims[j] = numLoops++;
    int64_t inputCount = input.getDimSize(i++), resultCount = result.getDimSize(j++);
    while (inputCount != resultCount)
      if (inputCount < resultCount)
        inputCount *= input.getDimSize(i++);
      else
        resultCount *= result.getDimSize(j++);
  }
  return LoopsBuilder(op.getContext(), numLoops)
      .add(inputDims)
      .addScalars(op.getDynamicSizes().size())
      .add(resultDims)
      .build();
}

/// The dimensions along which a predicate does not hold.
static SmallVector<int64_t> getMoved(int64_t rank,
                                     function_ref<bool(int64_t)> isKept) {
  SmallVector<int64_t> moved;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!isKept(dim))
      moved.push_back(dim);
  return moved;
}

bool mindir::takesWhole(SliceOp op, int64_t dim) {
  int64_t size = getRankedType(op.getInput()).getDimSize(dim);
  int64_t limit = op.getLimits()[dim];
  return op.getStarts()[dim] == 0 && op.getStrides()[dim] == 1 &&
         (limit == SliceOp::kEnd || limit == size);
}

static ShardingLoops getSliceLoops(SliceOp op) {
  RankedTensorType input = getRankedType(op.getInput());
  auto dims = getDimsExcept(
      input.getRank(),
      getMoved(input.getRank(), [&](int64_t dim) { return takesWhole(op, dim); }));
  return LoopsBuilder(op.getContext(), input.getRank()).add(dims).add(dims).build();
}

static ShardingLoops getReverseLoops(ReverseOp op) {
  int64_t rank = op.getType().getRank();
  SmallVector<int64_t> dims = getDimsExcept(rank, op.getAxes());
  return LoopsBuilder(op.getContext(), rank).add(dims).add(dims).build();
}

static ShardingLoops getPadLoops(PadOp op) {
  int64_t rank = getRankedType(op.getInput()).getRank();
  SmallVector<int64_t> padded = getMoved(rank, [&](int64_t dim) {
    return op.getLow()[dim] == 0 && op.getHigh()[dim] == 0 && op.getInterior()[dim] == 0;
  });
  SmallVector<int64_t> dims = getDimsExcept(rank, padded);
  return LoopsBuilder(op.getContext(), rank).add(dims).addScalars(1).add(dims).build();
}

static ShardingLoops getConcatLoops(ConcatOp op) {
  int64_t rank = getRankedType(op.getResult()).getRank();
  SmallVector<int64_t> dims = getDimsExcept(rank, static_cast<int64_t>(op.getAxis()));
  LoopsBuilder builder(op.getContext(), rank);
  for (size_t i = 0; i < op.getInputs().size(); ++i)
    builder.add(dims);
  return builder.add(dims).build();
}

/// Where block and tensor have one size, the only start inside is zero.
static SmallVector<int64_t> getBlockDims(RankedTensorType tensor,
                                         RankedTensorType block) {
  return getDimsExcept(tensor.getRank(), getMoved(tensor.getRank(), [&](int64_t dim) {
                         return !tensor.isDynamicDim(dim) &&
                                tensor.getDimSize(dim) == block.getDimSize(dim);
                       }));
}

static ShardingLoops getDynamicSliceLoops(DynamicSliceOp op) {
  SmallVector<int64_t> dims = getBlockDims(getRankedType(op.getInput()), op.getType());
  return LoopsBuilder(op.getContext(), dims.size())
      .add(dims)
      .addScalars(op->getNumOperands() - 1)
      .add(dims)
      .build();
}

static ShardingLoops getDynamicUpdateSliceLoops(DynamicUpdateSliceOp op) {
  SmallVector<int64_t> dims =
      getBlockDims(getRankedType(op.getInput()), getRankedType(op.getUpdate()));
  return LoopsBuilder(op.getContext(), dims.size())
      .add(dims)
      .add(dims)
      .addScalars(op.getStarts().size())
      .add(dims)
      .build();
}

std::optional<ShardingLoops> mindir::getMovementLoops(Operation *op) {
  using Loops = std::optional<ShardingLoops>;
  return llvm::TypeSwitch<Operation *, Loops>(op)
      .Case([](ReshapeOp op) -> Loops { return getReshapeLoops(op); })
      .Case([](SliceOp op) -> Loops { return getSliceLoops(op); })
      .Case([](ReverseOp op) -> Loops { return getReverseLoops(op); })
      .Case([](PadOp op) -> Loops { return getPadLoops(op); })
      .Case([](ConcatOp op) -> Loops { return getConcatLoops(op); })
      .Case([](DynamicSliceOp op) -> Loops { return getDynamicSliceLoops(op); })
      .Case([](DynamicUpdateSliceOp op) -> Loops {
        return getDynamicUpdateSliceLoops(op);
      })
      .Default([](Operation *) -> Loops { return std::nullopt; });
}
