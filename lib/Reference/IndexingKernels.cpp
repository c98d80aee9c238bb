//===- IndexingKernels.cpp - indexing by tensors, by definition -----------===//
//
// Counting, marking, taking and adding at positions that index tensors name.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Reference/Kernels.h"

using namespace mlir;
using namespace mlir::mindir;
using namespace mlir::mindir::reference;

static void setNumber(Tensor &tensor, int64_t i, Integer value) {
  if (tensor.isFloat())
    tensor.setReal(i, static_cast<Real>(value));
  else
    tensor.setInteger(i, value);
}

static LogicalResult runIota(IotaOp op, KernelCall &call) {
  Tensor *result = call.allocateResult(op.getDynamicSizes());
  if (!result)
    return failure();
  int64_t to = 0;
  forEachIndex(result->getShape(), [&](ArrayRef<int64_t> index) {
    setNumber(*result, to++, index[op.getAxis()]);
  });
  return success();
}

static LogicalResult runOneHot(OneHotOp op, KernelCall &call) {
  const Tensor &indices = call.get(op.getIndices());
  SmallVector<int64_t> shape(indices.getShape());
  int64_t depth = op.getDepth();
  shape.push_back(depth);
  Tensor *result = call.allocateResult(shape);
  if (!result)
    return failure();
  for (int64_t i = 0, e = indices.getNumElements(); i < e; ++i)
    for (int64_t j = 0; j < depth; ++j)
      setNumber(*result, i * depth + j, indices.getInteger(i) == j);
  return success();
}

/// The shape of gather's result: the indices' in place of the axis.
static SmallVector<int64_t> getGatheredShape(ArrayRef<int64_t> input,
                                             ArrayRef<int64_t> indices,
                                             int64_t axis) {
  SmallVector<int64_t> shape(input.take_front(axis));
  llvm::append_range(shape, indices);
  llvm::append_range(shape, input.drop_front(axis + 1));
  return shape;
}

/// Every index must name a position, also where nothing is taken there.
static LogicalResult checkIndices(KernelCall &call, const Tensor &indices,
                                  int64_t axis, int64_t size) {
  for (int64_t i = 0, e = indices.getNumElements(); i < e; ++i) {
    Integer at = indices.getInteger(i);
    if (at < -size || at >= size)
      return call.fail(
          "IndexError: '" + call.getOp()->getName().getStringRef() +
          "' expected indices in [" + Twine(-size) + ", " + Twine(size) +
          ") along axis " + Twine(axis) + ", but got " +
          Twine(static_cast<int64_t>(at)));
  }
  return success();
}

/// Visits each gathered position and the input position that it stands for, in
/// row-major order of the gathered elements.
static LogicalResult
forEachGathered(KernelCall &call, ArrayRef<int64_t> shape, const Tensor &indices,
                int64_t axis, llvm::function_ref<void(int64_t, int64_t)> visit) {
  int64_t indexRank = indices.getRank(), size = shape[axis], gathered = 0;
  if (failed(checkIndices(call, indices, axis, size)))
    return failure();
  SmallVector<int64_t> domain = getGatheredShape(shape, indices.getShape(), axis);
  forEachIndex(domain, [&](ArrayRef<int64_t> index) {
    int64_t at = static_cast<int64_t>(indices.getInteger(
        linearize(index.slice(axis, indexRank), indices.getShape())));
    SmallVector<int64_t> from(index.take_front(axis));
    from.push_back(at < 0 ? at + size : at);
    llvm::append_range(from, index.drop_front(axis + indexRank));
    visit(gathered++, linearize(from, shape));
  });
  return success();
}

static LogicalResult runGather(GatherOp op, KernelCall &call) {
  const Tensor &input = call.get(op.getInput());
  const Tensor &indices = call.get(op.getIndices());
  int64_t axis = op.getAxis();
  Tensor *result = call.allocateResult(
      getGatheredShape(input.getShape(), indices.getShape(), axis));
  if (!result)
    return failure();
  return forEachGathered(
      call, input.getShape(), indices, axis,
      [&](int64_t to, int64_t from) { result->copyElement(to, input, from); });
}

/// Duplicates add up wide: the op rounds once.
static LogicalResult runScatterAdd(ScatterAddOp op, KernelCall &call) {
  const Tensor &input = call.get(op.getInput());
  const Tensor &indices = call.get(op.getIndices());
  const Tensor &updates = call.get(op.getUpdates());
  int64_t axis = op.getAxis(), count = input.getNumElements();
  SmallVector<int64_t> expected =
      getGatheredShape(input.getShape(), indices.getShape(), axis);
  if (updates.getShape() != ArrayRef<int64_t>(expected))
    return call.fail("ValueError: For 'ScatterAdd', expected updates of the shape "
                     "that gathering would have, but got " + updates.getTypeText());
  std::vector<Real> reals(input.isFloat() ? count : 0);
  std::vector<Integer> integers(input.isFloat() ? 0 : count);
  for (int64_t i = 0; i < count; ++i)
    if (input.isFloat())
      reals[i] = input.getReal(i);
    else
      integers[i] = input.getInteger(i);
  LogicalResult status = forEachGathered(
      call, input.getShape(), indices, axis, [&](int64_t from, int64_t to) {
        if (input.isFloat())
          reals[to] += updates.getReal(from);
        else
          integers[to] = addWrapping(integers[to], updates.getInteger(from));
      });
  Tensor result = input;
  for (int64_t i = 0; i < count; ++i)
    if (input.isFloat())
      result.setReal(i, reals[i]);
    else
      result.setInteger(i, integers[i]);
  call.addResult(std::move(result));
  return status;
}

void reference::populateIndexingKernels(KernelRegistry &registry) {
  registry.add<IotaOp>(runIota);
  registry.add<OneHotOp>(runOneHot);
  registry.add<GatherOp>(runGather);
  registry.add<ScatterAddOp>(runScatterAdd);
}
