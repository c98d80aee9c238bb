//===- NormalizationKernels.cpp - normalizations by definition ------------===//
//
// Wide throughout; only the results are rounded.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Reference/Kernels.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::mindir;
using namespace mlir::mindir::reference;

/// The tensor as [before, size, after], `size` being that of `axis`.
static SmallVector<int64_t> splitAtAxis(ArrayRef<int64_t> shape, int64_t axis) {
  SmallVector<int64_t> split = {1, shape[axis], 1};
  for (auto [dim, size] : llvm::enumerate(shape))
    if (static_cast<int64_t>(dim) != axis)
      split[static_cast<int64_t>(dim) < axis ? 0 : 2] *= size;
  return split;
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

namespace {
/// Maximum of a row, and the logarithm of the sum of exp(element - maximum).
struct RowNorm {
  Real maximum = -std::numeric_limits<Real>::infinity();
  Real logSum = 0;
};
} // namespace

static RowNorm getRowNorm(ArrayRef<Real> row) {
  RowNorm norm;
  for (Real x : row)
    norm.maximum = std::isnan(x) || x > norm.maximum ? x : norm.maximum;
  Real sum = 0;
  for (Real x : row)
    sum += std::exp(x - norm.maximum);
  norm.logSum = std::log(sum);
  return norm;
}

template <typename OpTy>
static void addSoftmax(KernelRegistry &registry, bool isLogarithm) {
  registry.add<OpTy>([isLogarithm](OpTy op, KernelCall &call) -> LogicalResult {
    const Tensor &input = call.get(op.getInput());
    Tensor *result = call.allocateResult(input.getShape());
    if (!result)
      return failure();
    SmallVector<int64_t> split = splitAtAxis(input.getShape(), op.getAxis());
    forEachIndex({split[0], split[2]}, [&](ArrayRef<int64_t> index) {
      auto getPosition = [&](int64_t i) {
        return linearize({index[0], i, index[1]}, split);
      };
      SmallVector<Real> row;
      for (int64_t i = 0; i < split[1]; ++i)
        row.push_back(input.getReal(getPosition(i)));
      RowNorm norm = getRowNorm(row);
      for (auto [i, x] : llvm::enumerate(row)) {
        Real logarithm = (x - norm.maximum) - norm.logSum;
        result->setReal(getPosition(i), isLogarithm ? logarithm : std::exp(logarithm));
      }
    });
    return success();
  });
}

static LogicalResult runCrossEntropy(CrossEntropyOp op, KernelCall &call) {
  const Tensor &logits = call.get(op.getLogits()), &labels = call.get(op.getLabels());
  int64_t rows = logits.getSize(0), classes = logits.getSize(1);
  if (labels.getSize(0) != rows)
    return call.fail("ValueError: For 'CrossEntropy', expected " + Twine(rows) +
                     " labels, but got " + Twine(labels.getSize(0)));
  Tensor *result = call.allocateResult(ArrayRef<int64_t>{rows});
  if (!result)
    return failure();
  for (int64_t i = 0; i < rows; ++i) {
    int64_t label = static_cast<int64_t>(labels.getInteger(i));
    if (label == int64_t(op.getIgnoreIndex()))
      continue;
    if (label < 0 || label >= classes)
      return call.fail("ValueError: For 'CrossEntropy', expected labels in [0, " +
                       Twine(classes) + ") or " + Twine(int64_t(op.getIgnoreIndex())) +
                       ", but got " + Twine(label));
    SmallVector<Real> row;
    for (int64_t j = 0; j < classes; ++j)
      row.push_back(logits.getReal(i * classes + j));
    RowNorm norm = getRowNorm(row);
    result->setReal(i, -((row[label] - norm.maximum) - norm.logSum));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Batch normalization
//===----------------------------------------------------------------------===//

/// Visits each element's position and its index along the axis.
static void forEachChannel(ArrayRef<int64_t> split,
                           llvm::function_ref<void(int64_t, int64_t)> visit) {
  int64_t position = 0;
  forEachIndex(split, [&](ArrayRef<int64_t> index) { visit(position++, index[1]); });
}

/// Checks that each vector operand after the input has one element per channel.
static LogicalResult checkVectors(KernelCall &call, int64_t channels) {
  for (Value operand : call.getOp()->getOperands().drop_front())
    if (call.get(operand).getSize(0) != channels)
      return call.fail("ValueError: For 'BatchNorm', expected vectors of " +
                       Twine(channels) + " elements, but got " +
                       call.get(operand).getTypeText());
  return success();
}

/// Mean and biased variance over all dimensions but the axis.
static void computeMoments(const Tensor &input, ArrayRef<int64_t> split,
                           SmallVector<Real> &mean, SmallVector<Real> &variance) {
  Real count = static_cast<Real>(split[0] * split[2]);
  mean.assign(split[1], 0);
  variance.assign(split[1], 0);
  forEachChannel(split, [&](int64_t i, int64_t c) { mean[c] += input.getReal(i); });
  for (Real &x : mean)
    x /= count;
  forEachChannel(split, [&](int64_t i, int64_t c) {
    variance[c] += (input.getReal(i) - mean[c]) * (input.getReal(i) - mean[c]);
  });
  for (Real &x : variance)
    x /= count;
}

static Real normalize(Real x, Real mean, Real variance, Real epsilon, Real scale,
                      Real offset) {
  return (x - mean) / std::sqrt(variance + epsilon) * scale + offset;
}

static LogicalResult runBatchNormTraining(BatchNormTrainingOp op, KernelCall &call) {
  const Tensor &input = call.get(op.getInput());
  const Tensor &scale = call.get(op.getScale()), &offset = call.get(op.getOffset());
  SmallVector<int64_t> split = splitAtAxis(input.getShape(), op.getAxis());
  if (failed(checkVectors(call, split[1])))
    return failure();
  SmallVector<Real> mean, variance;
  computeMoments(input, split, mean, variance);
  Tensor *result = call.allocateResult(input.getShape());
  Tensor *means = result ? call.allocateResult({split[1]}) : nullptr;
  Tensor *variances = means ? call.allocateResult({split[1]}) : nullptr;
  if (!variances)
    return failure();
  Real epsilon = op.getEpsilon().convertToDouble();
  forEachChannel(split, [&](int64_t i, int64_t c) {
    result->setReal(i, normalize(input.getReal(i), mean[c], variance[c], epsilon,
                                 scale.getReal(c), offset.getReal(c)));
  });
  for (int64_t c = 0; c < split[1]; ++c) {
    means->setReal(c, mean[c]);
    variances->setReal(c, variance[c]);
  }
  return success();
}

static LogicalResult runBatchNormInference(BatchNormInferenceOp op, KernelCall &call) {
  const Tensor &input = call.get(op.getInput());
  const Tensor &scale = call.get(op.getScale()), &offset = call.get(op.getOffset());
  const Tensor &mean = call.get(op.getMean()), &variance = call.get(op.getVariance());
  SmallVector<int64_t> split = splitAtAxis(input.getShape(), op.getAxis());
  if (failed(checkVectors(call, split[1])))
    return failure();
  Tensor *result = call.allocateResult(input.getShape());
  if (!result)
    return failure();
  Real epsilon = op.getEpsilon().convertToDouble();
  forEachChannel(split, [&](int64_t i, int64_t c) {
    result->setReal(i, normalize(input.getReal(i), mean.getReal(c),
                                 variance.getReal(c), epsilon, scale.getReal(c),
                                 offset.getReal(c)));
  });
  return success();
}

void reference::populateNormalizationKernels(KernelRegistry &registry) {
  addSoftmax<SoftmaxOp>(registry, /*isLogarithm=*/false);
  addSoftmax<LogSoftmaxOp>(registry, /*isLogarithm=*/true);
  registry.add<CrossEntropyOp>(runCrossEntropy);
  registry.add<BatchNormTrainingOp>(runBatchNormTraining);
  registry.add<BatchNormInferenceOp>(runBatchNormInference);
}
