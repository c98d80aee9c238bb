//===- MovementLayouts.cpp - layout rules of movement ---------------------===//
//
// Movement along dimensions, in another order of them. `reshape` is not here: what it
// gives depends on the order of elements.
//
//===----------------------------------------------------------------------===//

#include "../LayoutProblem.h"
#include "LayoutSupport.h"

#include "mindir/Dialect/MindIR/IR/ShapedOp.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::mindir;

//===----------------------------------------------------------------------===//
// Broadcast
//===----------------------------------------------------------------------===//

/// The result, and an input of its rank.
static LayoutCarriers carryBroadcast(Operation *op, int64_t rank) {
  LayoutCarriers all = carrySameRank(op, rank);
  return all.results[0] ? all : carryNone(op);
}

/// An input of lower rank, in which numpy's rule sees leading dimensions of size one.
static Value alignInput(const Transposed &t, Value input) {
  auto type = cast<RankedTensorType>(input.getType());
  if (type.getRank() == 0)
    return input;
  Location loc = t.op->getLoc();
  SmallVector<int64_t> shape(t.permutation.size() - type.getRank(), 1);
  llvm::append_range(shape, type.getShape());
  SmallVector<Value> sizes = getDynamicSizes(t.builder, loc, input);
  RankedTensorType moved = t.reorder(type.clone(shape));
  if (keepsElementOrder(type.clone(shape), t.permutation))
    return ReshapeOp::create(t.builder, loc, moved, input, sizes);
  Value aligned =
      ReshapeOp::create(t.builder, loc, type.clone(shape), input, sizes);
  return TransposeOp::create(t.builder, loc, moved, aligned, t.permutation);
}

static SmallVector<Value> transposeBroadcast(const Transposed &t) {
  auto op = cast<BroadcastToOp>(t.op);
  Value input = t.operands.front();
  auto type = cast<RankedTensorType>(op.getInput().getType());
  if (type.getRank() != static_cast<int64_t>(t.permutation.size()))
    input = alignInput(t, input);
  return {BroadcastToOp::create(t.builder, op.getLoc(), t.reorder(op.getType()), input,
                                t.reorderSizes(op.getType(), op.getDynamicSizes()))};
}

//===----------------------------------------------------------------------===//
// Transpose
//===----------------------------------------------------------------------===//

/// The input: what comes out is the program's own order.
static LayoutCarriers carryTransposed(Operation *op, int64_t rank) {
  LayoutCarriers carriers = carrySameRank(op, rank);
  carriers.results[0] = false;
  return carriers;
}

static SmallVector<Value> transposeTranspose(const Transposed &t) {
  auto op = cast<TransposeOp>(t.op);
  SmallVector<int64_t> permutation;
  for (int64_t dim : op.getPermutation())
    permutation.push_back(t.move(dim));
  if (isIdentityPermutation(permutation) && t.operands.front().getType() == op.getType())
    return {t.operands.front()};
  return {TransposeOp::create(t.builder, op.getLoc(), op.getType(), t.operands.front(),
                              permutation)};
}

//===----------------------------------------------------------------------===//
// Slice, reverse, pad
//===----------------------------------------------------------------------===//

static SmallVector<Value> transposeSlice(const Transposed &t) {
  return t.build(
      {t.reordered("starts"), t.reordered("limits"), t.reordered("strides")});
}

static SmallVector<Value> transposeReverse(const Transposed &t) {
  return t.build(t.movedAxes("axes"));
}

static SmallVector<Value> transposePad(const Transposed &t) {
  return t.build({t.reordered("low"), t.reordered("high"), t.reordered("interior")});
}

static SmallVector<Value> transposeDynamicSlice(const Transposed &t) {
  auto op = cast<DynamicSliceOp>(t.op);
  return {DynamicSliceOp::create(t.builder, op.getLoc(), t.reorder(op.getType()),
                                 t.operands.front(), t.reorder(op.getStarts()),
                                 t.reorderSizes(op.getType(), op.getDynamicSizes()))};
}

static SmallVector<Value> transposeDynamicUpdateSlice(const Transposed &t) {
  auto op = cast<DynamicUpdateSliceOp>(t.op);
  return {DynamicUpdateSliceOp::create(t.builder, op.getLoc(), t.reorder(op.getType()),
                                       t.operands[0], t.operands[1],
                                       t.reorder(op.getStarts()))};
}

void mindir::attachMovementLayouts(MLIRContext *context) {
  attachLayout<BroadcastToOp, transposeBroadcast, carryBroadcast>(context);
  attachLayout<TransposeOp, transposeTranspose, carryTransposed>(context);
  attachLayout<SliceOp, transposeSlice>(context);
  attachLayout<ReverseOp, transposeReverse>(context);
  attachLayout<PadOp, transposePad>(context);
  attachLayout<ConcatOp, moveAxis>(context);
  attachLayout<DynamicSliceOp, transposeDynamicSlice>(context);
  attachLayout<DynamicUpdateSliceOp, transposeDynamicUpdateSlice>(context);
}

//===----------------------------------------------------------------------===//
// Upstream
//===----------------------------------------------------------------------===//

/// The tensor, when the dimension is known.
static LayoutCarriers carryDim(Operation *op, int64_t rank) {
  bool isKnown = cast<tensor::DimOp>(op).getConstantIndex().has_value();
  return isKnown ? carrySameRank(op, rank) : carryNone(op);
}

static SmallVector<Value> transposeDim(const Transposed &t) {
  int64_t dim = *cast<tensor::DimOp>(t.op).getConstantIndex();
  return {tensor::DimOp::create(t.builder, t.op->getLoc(), t.operands.front(),
                                t.move(dim))};
}

void mindir::attachTensorLayouts(MLIRContext *context) {
  attachLayout<tensor::DimOp, transposeDim, carryDim>(context);
  attachLayout<tensor::CastOp, keepAttributes>(context);
}
