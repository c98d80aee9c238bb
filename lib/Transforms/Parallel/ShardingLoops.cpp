//===- ShardingLoops.cpp - ops as loop nests that can be split ------------===//
//
// Structured ops say their loops themselves; here are those of the others whose
// dimensions can be split all the same.
//
//===----------------------------------------------------------------------===//

#include "LoopsBuilder.h"

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
// Others
//===----------------------------------------------------------------------===//

/// Elementwise, but for dimensions that the op needs whole.
static ShardingLoops getLoopsAlong(Operation *op, ArrayRef<int64_t> whole) {
  int64_t rank = getRankedType(op->getResult(0)).getRank();
  SmallVector<int64_t> dims = getDimsExcept(rank, whole);
  return LoopsBuilder(op->getContext(), rank).add(dims).add(dims).build();
}

/// A splat is cut to any size; other constants are whole on every device.
static ShardingLoops getConstantLoops(ConstantOp op) {
  int64_t rank = op.getType().getRank();
  SmallVector<int64_t> dims = getDimsExcept(rank, {});
  if (!isa<SplatElementsAttr>(op.getValue()))
    dims.assign(rank, kWhole);
  return LoopsBuilder(op.getContext(), rank).add(dims).build();
}

/// The index of an extreme, with the axis gone from the result.
template <typename OpTy> static ShardingLoops getArgReductionLoops(OpTy op) {
  int64_t rank = getRankedType(op.getInput()).getRank(), axis = op.getAxis();
  SmallVector<int64_t> dims = getDimsExcept(rank, axis), kept = dims;
  kept.erase(kept.begin() + axis);
  return LoopsBuilder(op.getContext(), rank).add(dims).add(kept).build();
}

/// Rows are independent of each other.
static ShardingLoops getCrossEntropyLoops(CrossEntropyOp op) {
  return LoopsBuilder(op.getContext(), 1).add({0, kWhole}).add({0}).add({0}).build();
}

/// The numbers can be split; each device knows the whole state.
static ShardingLoops getRandomLoops(Operation *op) {
  int64_t rank = getRankedType(op->getResult(0)).getRank();
  return LoopsBuilder(op->getContext(), rank)
      .add({kWhole})
      .addScalars(op->getNumOperands() - 1)
      .add(getDimsExcept(rank, {}))
      .add({kWhole})
      .build();
}

/// No loops: every device has the whole operands and results.
static ShardingLoops getWholeLoops(Operation *op) {
  LoopsBuilder builder(op->getContext(), 0);
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Type type : types) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    builder.add(SmallVector<int64_t>(tensor ? tensor.getRank() : 0, kWhole));
  }
  return builder.build();
}

ShardingLoops mindir::getShardingLoops(Operation *op) {
  if (auto structured = dyn_cast<StructuredOpInterface>(op))
    return getStructuredLoops(structured);
  for (auto getFamilyLoops : {getImageLoops, getMovementLoops, getIndexingLoops})
    if (std::optional<ShardingLoops> loops = getFamilyLoops(op))
      return std::move(*loops);
  return llvm::TypeSwitch<Operation *, ShardingLoops>(op)
      .Case([](ConstantOp op) { return getConstantLoops(op); })
      .Case([](StopGradientOp op) { return getLoopsAlong(op, {}); })
      .Case<SoftmaxOp, LogSoftmaxOp>(
          [](auto op) { return getLoopsAlong(op, static_cast<int64_t>(op.getAxis())); })
      .Case<ArgMaxOp, ArgMinOp>([](auto op) { return getArgReductionLoops(op); })
      .Case([](CrossEntropyOp op) { return getCrossEntropyLoops(op); })
      .Case<RandomBitsOp, RandomUniformOp, RandomNormalOp>(
          [](auto op) { return getRandomLoops(op); })
      .Default([](Operation *op) { return getWholeLoops(op); });
}
