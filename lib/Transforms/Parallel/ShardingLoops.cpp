//===- ShardingLoops.cpp - ops as loop nests that can be split ------------===//
//
// Structured ops say their loops themselves; here are those of the others whose
// dimensions can be split all the same.
//
//===----------------------------------------------------------------------===//

#include "ShardingLoops.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::mindir;
using shard::ReductionKind;
using utils::IteratorType;

static RankedTensorType getRankedType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===----------------------------------------------------------------------===//
// Structured ops
//===----------------------------------------------------------------------===//

/// Partial results are joined as elements are combined. A bool's are not: the
/// collectives combine numbers.
static ReductionKind getReductionKind(Operation *op) {
  if (getElementTypeOrSelf(op->getResult(0).getType()).isInteger(1))
    return ReductionKind::Generic;
  return llvm::TypeSwitch<Operation *, ReductionKind>(op)
      .Case<ReduceSumOp, MatMulOp>([](auto) { return ReductionKind::Sum; })
      .Case<ReduceProdOp>([](auto) { return ReductionKind::Product; })
      .Case<ReduceMaxOp>([](auto) { return ReductionKind::Max; })
      .Case<ReduceMinOp>([](auto) { return ReductionKind::Min; })
      .Default([](Operation *) { return ReductionKind::Generic; });
}

static ShardingLoops getStructuredLoops(StructuredOpInterface op) {
  ShardingLoops loops;
  loops.iterators = op.getIteratorTypes();
  loops.reduction = getReductionKind(op);
  SmallVector<AffineMap> maps = op.getStructuredIndexingMaps();
  ArrayRef<AffineMap> rest = maps;
  auto take = [&](Type type) {
    bool isTensor = isa<RankedTensorType>(type) && !rest.empty();
    loops.maps.push_back(isTensor
                             ? rest.front()
                             : AffineMap::get(loops.iterators.size(), 0,
                                              op->getContext()));
    rest = rest.drop_front(isTensor);
  };
  llvm::for_each(op->getOperandTypes(), take);
  llvm::for_each(op->getResultTypes(), take);
  return loops;
}

//===----------------------------------------------------------------------===//
// Loops by hand
//===----------------------------------------------------------------------===//

namespace {
/// A dimension of an operand that no loop splits.
constexpr int64_t kWhole = -1;

/// Builds maps from lists of loop numbers, `kWhole` where nothing splits.
class LoopsBuilder {
public:
  LoopsBuilder(MLIRContext *context, unsigned numParallel, unsigned numReduction = 0)
      : context(context) {
    loops.iterators.append(numParallel, IteratorType::parallel);
    loops.iterators.append(numReduction, IteratorType::reduction);
  }
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
  ShardingLoops build(ReductionKind kind = ReductionKind::Generic) {
    loops.reduction = kind;
    return std::move(loops);
  }

private:
  MLIRContext *context;
  ShardingLoops loops;
};
} // namespace

/// One loop per dimension of the only result, but `axis`.
static SmallVector<int64_t> getDimsExcept(int64_t rank, int64_t axis) {
  SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < rank; ++dim)
    dims.push_back(dim == axis ? kWhole : dim);
  return dims;
}

template <typename OpTy> static ShardingLoops getSoftmaxLoops(OpTy op) {
  int64_t rank = op.getType().getRank();
  SmallVector<int64_t> dims = getDimsExcept(rank, op.getAxis());
  return LoopsBuilder(op.getContext(), rank).add(dims).add(dims).build();
}

/// A splat is cut to any size; other constants are whole on every device.
static ShardingLoops getConstantLoops(ConstantOp op) {
  int64_t rank = op.getType().getRank();
  SmallVector<int64_t> dims = getDimsExcept(rank, kWhole);
  if (!isa<SplatElementsAttr>(op.getValue()))
    dims.assign(rank, kWhole);
  return LoopsBuilder(op.getContext(), rank).add(dims).build();
}

/// Cuts the shapes into the shortest groups of dimensions with equal numbers of
/// elements. The first dimension of size above one of each side of a group is
/// outermost in it: to split both is the same.
static ShardingLoops getReshapeLoops(ReshapeOp op) {
  RankedTensorType input = getRankedType(op.getInput()), result = op.getType();
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

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

/// Loops of a convolution of one group over batch, output and input channels; the
/// image is whole. Channels of several groups are not split.
static ShardingLoops getConvolutionLoops(Operation *op, ImageLayout layout,
                                         int64_t groups, unsigned numScalars) {
  bool isConv = isa<Conv2DOp>(op), isInputGrad = isa<Conv2DInputGradOp>(op);
  int64_t batch = 0, output = 1, input = 1;
  // The loop that the op sums over comes last.
  if (isConv) {
    input = 2;
  } else if (isInputGrad) {
    output = 2;
  } else {
    batch = 2;
    output = 0;
  }
  if (groups != 1)
    output = input = kWhole;
  auto image = [&](int64_t channels) {
    bool isNCHW = layout == ImageLayout::nchw;
    return SmallVector<int64_t>{batch, isNCHW ? channels : kWhole, kWhole,
                                isNCHW ? kWhole : channels};
  };
  SmallVector<int64_t> inputDims = image(input), resultDims = image(output);
  SmallVector<int64_t> weightDims{output, input, kWhole, kWhole};
  LoopsBuilder builder(op->getContext(), 2, 1);
  if (isConv)
    builder.add(inputDims).add(weightDims).add(resultDims);
  else if (isInputGrad)
    builder.add(resultDims).add(weightDims).addScalars(numScalars).add(inputDims);
  else
    builder.add(inputDims).add(resultDims).addScalars(numScalars).add(weightDims);
  return builder.build(ReductionKind::Sum);
}

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

ShardingLoops mindir::getShardingLoops(Operation *op) {
  if (auto structured = dyn_cast<StructuredOpInterface>(op))
    return getStructuredLoops(structured);
  return llvm::TypeSwitch<Operation *, ShardingLoops>(op)
      .Case([](ConstantOp op) { return getConstantLoops(op); })
      .Case([](ReshapeOp op) { return getReshapeLoops(op); })
      .Case<SoftmaxOp, LogSoftmaxOp>([](auto op) { return getSoftmaxLoops(op); })
      .Case([](Conv2DOp op) {
        return getConvolutionLoops(op, op.getLayout(), op.getGroups(), 0);
      })
      .Case<Conv2DInputGradOp, Conv2DWeightGradOp>([](auto op) {
        return getConvolutionLoops(op, op.getLayout(), op.getGroups(),
                                   op.getDynamicSizes().size());
      })
      .Default([](Operation *op) {
        LoopsBuilder builder(op->getContext(), 0);
        SmallVector<Type> types(op->getOperandTypes());
        llvm::append_range(types, op->getResultTypes());
        for (Type type : types) {
          auto tensor = dyn_cast<RankedTensorType>(type);
          builder.add(SmallVector<int64_t>(tensor ? tensor.getRank() : 0, kWhole));
        }
        return builder.build();
      });
}
