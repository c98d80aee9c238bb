//===- MovementKernels.cpp - movement of elements by definition -----------===//
//
// Each kernel states, for every element of the result, the element it copies.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Reference/Kernels.h"

#include <limits>

using namespace mlir;
using namespace mlir::mindir;
using namespace mlir::mindir::reference;

/// Copies to each index of `result` the element of `input` that `map` names.
static void copyByIndex(
    const Tensor &input, Tensor &result,
    llvm::function_ref<SmallVector<int64_t>(ArrayRef<int64_t>)> map) {
  int64_t to = 0;
  forEachIndex(result.getShape(), [&](ArrayRef<int64_t> index) {
    result.copyElement(to++, input, linearize(map(index), input.getShape()));
  });
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

static LogicalResult runReshape(ReshapeOp op, KernelCall &call) {
  const Tensor &input = call.get(op.getInput());
  Tensor *result = call.allocateResult(op.getDynamicSizes());
  if (!result)
    return failure();
  if (result->getNumElements() != input.getNumElements())
    return call.fail("ValueError: For 'Reshape', expected a shape of " +
                     Twine(input.getNumElements()) + " elements, but got " +
                     result->getTypeText());
  for (int64_t i = 0, e = input.getNumElements(); i < e; ++i)
    result->copyElement(i, input, i);
  return success();
}

static LogicalResult runBroadcastTo(BroadcastToOp op, KernelCall &call) {
  const Tensor &input = call.get(op.getInput());
  Tensor *result = call.allocateResult(op.getDynamicSizes());
  if (!result)
    return failure();
  auto type = cast<RankedTensorType>(op.getInput().getType());
  auto aligned = result->getShape().take_back(input.getRank());
  for (auto [known, size, target] :
       llvm::zip_equal(type.getShape(), input.getShape(), aligned))
    if (size != target && known != 1)
      return call.fail("ValueError: For 'BroadcastTo', expected sizes that are "
                       "equal or stated as one, but got " + input.getTypeText() +
                       " and " + result->getTypeText());
  copyByIndex(input, *result, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from(index.take_back(input.getRank()));
    for (auto [i, size] : llvm::zip_equal(from, input.getShape()))
      i = size == 1 ? 0 : i;
    return from;
  });
  return success();
}

static LogicalResult runTranspose(TransposeOp op, KernelCall &call) {
  const Tensor &input = call.get(op.getInput());
  ArrayRef<int64_t> permutation = op.getPermutation();
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(input.getSize(dim));
  Tensor *result = call.allocateResult(shape);
  if (!result)
    return failure();
  copyByIndex(input, *result, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from(index.size());
    for (auto [i, dim] : llvm::zip_equal(index, permutation))
      from[dim] = i;
    return from;
  });
  return success();
}

static LogicalResult runReverse(ReverseOp op, KernelCall &call) {
  const Tensor &input = call.get(op.getInput());
  Tensor *result = call.allocateResult(input.getShape());
  if (!result)
    return failure();
  copyByIndex(input, *result, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from(index);
    for (int64_t axis : op.getAxes())
      from[axis] = input.getSize(axis) - 1 - from[axis];
    return from;
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

static LogicalResult runSlice(SliceOp op, KernelCall &call) {
  const Tensor &input = call.get(op.getInput());
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < input.getRank(); ++dim) {
    int64_t size = input.getSize(dim), start = op.getStarts()[dim];
    int64_t stride = op.getStrides()[dim];
    int64_t limit = op.getLimits()[dim] == SliceOp::kEnd ? size : op.getLimits()[dim];
    if (start > limit || limit > size)
      return call.fail("ValueError: For 'Slice', expected 0 <= start <= limit <= " +
                       Twine(size) + " along dimension " + Twine(dim) +
                       ", but got start " + Twine(start) + " and limit " +
                       Twine(limit));
    shape.push_back((limit - start + stride - 1) / stride);
  }
  Tensor *result = call.allocateResult(shape);
  if (!result)
    return failure();
  copyByIndex(input, *result, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from(index);
    for (auto [i, start, stride] :
         llvm::zip_equal(from, op.getStarts(), op.getStrides()))
      i = start + i * stride;
    return from;
  });
  return success();
}

/// Checks that the block of `sizes` at `starts` lies inside of `input`.
static LogicalResult checkBlock(KernelCall &call, const Tensor &input,
                                ArrayRef<int64_t> starts, ArrayRef<int64_t> sizes) {
  for (int64_t dim = 0; dim < input.getRank(); ++dim)
    if (starts[dim] < 0 || starts[dim] > input.getSize(dim) - sizes[dim])
      return call.fail("IndexError: '" + call.getOp()->getName().getStringRef() +
                       "' expected a block inside of dimension " + Twine(dim) +
                       " of size " + Twine(input.getSize(dim)) + ", but got " +
                       Twine(sizes[dim]) + " elements from " + Twine(starts[dim]));
  return success();
}

static SmallVector<int64_t> addIndices(ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs) {
  SmallVector<int64_t> sum(lhs);
  for (auto [i, other] : llvm::zip_equal(sum, rhs))
    i += other;
  return sum;
}

static LogicalResult runDynamicSlice(DynamicSliceOp op, KernelCall &call) {
  const Tensor &input = call.get(op.getInput());
  SmallVector<int64_t> starts = call.getScalars(op.getStarts());
  Tensor *result = call.allocateResult(op.getDynamicSizes());
  if (!result || failed(checkBlock(call, input, starts, result->getShape())))
    return failure();
  copyByIndex(input, *result, [&](ArrayRef<int64_t> index) {
    return addIndices(starts, index);
  });
  return success();
}

static LogicalResult runDynamicUpdateSlice(DynamicUpdateSliceOp op,
                                           KernelCall &call) {
  const Tensor &input = call.get(op.getInput()), &update = call.get(op.getUpdate());
  SmallVector<int64_t> starts = call.getScalars(op.getStarts());
  if (failed(checkBlock(call, input, starts, update.getShape())))
    return failure();
  Tensor result = input;
  int64_t from = 0;
  forEachIndex(update.getShape(), [&](ArrayRef<int64_t> index) {
    result.copyElement(linearize(addIndices(starts, index), input.getShape()),
                       update, from++);
  });
  call.addResult(std::move(result));
  return success();
}

//===----------------------------------------------------------------------===//
// Padding and joining
//===----------------------------------------------------------------------===//

static LogicalResult runPad(PadOp op, KernelCall &call) {
  const Tensor &input = call.get(op.getInput()), &value = call.get(op.getValue());
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < input.getRank(); ++dim) {
    Integer size = input.getSize(dim);
    Integer between = size > 0 ? (size - 1) * op.getInterior()[dim] : 0;
    Integer padded = op.getLow()[dim] + size + between + op.getHigh()[dim];
    shape.push_back(static_cast<int64_t>(
        std::min<Integer>(padded, std::numeric_limits<int64_t>::max())));
  }
  Tensor *result = call.allocateResult(shape);
  if (!result)
    return failure();
  for (int64_t i = 0, e = result->getNumElements(); i < e; ++i)
    result->copyElement(i, value, 0);
  int64_t from = 0;
  forEachIndex(input.getShape(), [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> to(index);
    for (auto [i, low, interior] :
         llvm::zip_equal(to, op.getLow(), op.getInterior()))
      i = low + i * (interior + 1);
    result->copyElement(linearize(to, shape), input, from++);
  });
  return success();
}

static bool areEqualOffAxis(const Tensor &lhs, const Tensor &rhs, int64_t axis) {
  for (int64_t dim = 0; dim < lhs.getRank(); ++dim)
    if (dim != axis && lhs.getSize(dim) != rhs.getSize(dim))
      return false;
  return true;
}

static LogicalResult runConcat(ConcatOp op, KernelCall &call) {
  int64_t axis = op.getAxis();
  const Tensor &first = call.getOperand(0);
  SmallVector<int64_t> shape(first.getShape());
  shape[axis] = 0;
  for (Value operand : op.getInputs()) {
    if (!areEqualOffAxis(first, call.get(operand), axis))
      return call.fail("ValueError: For 'Concat', expected equal sizes off axis " +
                       Twine(axis) + ", but got " + first.getTypeText() + " and " +
                       call.get(operand).getTypeText());
    shape[axis] += call.get(operand).getSize(axis);
  }
  Tensor *result = call.allocateResult(shape);
  if (!result)
    return failure();
  int64_t offset = 0;
  for (Value operand : op.getInputs()) {
    const Tensor &input = call.get(operand);
    int64_t from = 0;
    forEachIndex(input.getShape(), [&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> to(index);
      to[axis] += offset;
      result->copyElement(linearize(to, shape), input, from++);
    });
    offset += input.getSize(axis);
  }
  return success();
}

void reference::populateMovementKernels(KernelRegistry &registry) {
  registry.add<ReshapeOp>(runReshape);
  registry.add<BroadcastToOp>(runBroadcastTo);
  registry.add<TransposeOp>(runTranspose);
  registry.add<ReverseOp>(runReverse);
  registry.add<SliceOp>(runSlice);
  registry.add<DynamicSliceOp>(runDynamicSlice);
  registry.add<DynamicUpdateSliceOp>(runDynamicUpdateSlice);
  registry.add<PadOp>(runPad);
  registry.add<ConcatOp>(runConcat);
}
