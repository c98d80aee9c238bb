//===- LinearKernels.cpp - matrix products and convolutions ---------------===//
//
// Products are summed wide. A convolution and its two gradients visit the same
// triples of positions and differ in which of the three they sum into.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Reference/Kernels.h"
#include "mindir/Reference/Windows.h"

using namespace mlir;
using namespace mlir::mindir;
using namespace mlir::mindir::reference;

//===----------------------------------------------------------------------===//
// Matrix product
//===----------------------------------------------------------------------===//

namespace {
/// One matrix of a batch: its elements by row and column.
struct MatrixView {
  const Tensor &tensor;
  int64_t rows, columns;
  bool isTransposed;

  MatrixView(const Tensor &tensor, bool isTransposed)
      : tensor(tensor), rows(tensor.getShape().drop_back().back()),
        columns(tensor.getShape().back()), isTransposed(isTransposed) {
    if (isTransposed)
      std::swap(rows, columns);
  }
  int64_t getPosition(int64_t batch, int64_t row, int64_t column) const {
    return batch * rows * columns +
           (isTransposed ? column * rows + row : row * columns + column);
  }
};
} // namespace

static Real multiplyReals(const MatrixView &lhs, const MatrixView &rhs,
                          int64_t batch, int64_t row, int64_t column) {
  Real sum = 0;
  for (int64_t k = 0; k < lhs.columns; ++k)
    sum += lhs.tensor.getReal(lhs.getPosition(batch, row, k)) *
           rhs.tensor.getReal(rhs.getPosition(batch, k, column));
  return sum;
}

static Integer multiplyIntegers(const MatrixView &lhs, const MatrixView &rhs,
                                int64_t batch, int64_t row, int64_t column) {
  Integer sum = 0;
  for (int64_t k = 0; k < lhs.columns; ++k)
    sum = addWrapping(
        sum, multiplyWrapping(
                 lhs.tensor.getInteger(lhs.getPosition(batch, row, k)),
                 rhs.tensor.getInteger(rhs.getPosition(batch, k, column))));
  return sum;
}

static LogicalResult runMatMul(MatMulOp op, KernelCall &call) {
  MatrixView lhs(call.get(op.getLhs()), op.getTransposeLhs());
  MatrixView rhs(call.get(op.getRhs()), op.getTransposeRhs());
  auto leading = lhs.tensor.getShape().drop_back(2);
  if (leading != rhs.tensor.getShape().drop_back(2) || lhs.columns != rhs.rows)
    return call.fail("ValueError: For 'MatMul', expected equal leading and "
                     "contracted sizes, but got " + lhs.tensor.getTypeText() +
                     " and " + rhs.tensor.getTypeText());
  SmallVector<int64_t> shape(leading);
  shape.append({lhs.rows, rhs.columns});
  Tensor *result = call.allocateResult(shape);
  if (!result)
    return failure();
  SmallVector<int64_t> matrices = {countElements(leading).value_or(0), lhs.rows,
                                   rhs.columns};
  int64_t to = 0;
  forEachIndex(matrices, [&](ArrayRef<int64_t> i) {
    if (result->isFloat())
      result->setReal(to++, multiplyReals(lhs, rhs, i[0], i[1], i[2]));
    else
      result->setInteger(to++, multiplyIntegers(lhs, rhs, i[0], i[1], i[2]));
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

/// Calls `visit(output, input, weight)` with the positions of each product.
static void forEachProduct(
    ImageShape output, ImageShape input, ArrayRef<int64_t> weight,
    const WindowGeometry &window, int64_t groups,
    llvm::function_ref<void(int64_t, int64_t, int64_t)> visit) {
  int64_t outputsPerGroup = std::max<int64_t>(weight[0] / groups, 1);
  forEachIndex({output.batch, weight[0], output.height, output.width, weight[1]},
               [&](ArrayRef<int64_t> i) {
    int64_t channel = i[1] / outputsPerGroup * weight[1] + i[4];
    window.forEachTap(i[2], i[3], input, [&](const WindowTap &tap) {
      visit(output.getPosition(i[0], i[1], i[2], i[3]),
            input.getPosition(i[0], channel, tap.y, tap.x),
            linearize({i[1], i[4], tap.row, tap.column}, weight));
    });
  });
}

template <typename OpTy>
static WindowGeometry getConvolutionWindow(OpTy op, ArrayRef<int64_t> weight) {
  return {weight.drop_front(2), op.getStrides(), op.getPadding(),
          op.getDilations()};
}

/// What must hold of sizes that types do not know: `weight` takes the image's channels
/// in equal groups, and its kernel lies inside of the padded image.
static LogicalResult checkConvolution(KernelCall &call, const ImageShape &image,
                                      ArrayRef<int64_t> weight,
                                      const ImageShape &output, int64_t groups) {
  StringRef name = call.getOp()->getName().getStringRef();
  if (image.channels != weight[1] * groups || weight[0] % groups != 0)
    return call.fail("ValueError: '" + name + "' expected weight.shape[1] * groups "
                     "input channels, and groups to divide the output channels, but "
                     "got " + Twine(image.channels) + " and " + Twine(weight[0]));
  if (output.height == 0 || output.width == 0)
    return call.fail("ValueError: '" + name + "' expected a kernel that is not "
                     "larger than the padded image");
  return success();
}

static void setReals(Tensor &result, ArrayRef<Real> sums) {
  for (auto [i, sum] : llvm::enumerate(sums))
    result.setReal(i, sum);
}

static LogicalResult runConv2D(Conv2DOp op, KernelCall &call) {
  const Tensor &input = call.get(op.getInput()), &weight = call.get(op.getWeight());
  ImageShape image(input.getShape(), op.getLayout());
  WindowGeometry window = getConvolutionWindow(op, weight.getShape());
  ImageShape output = window.getOutput(image, weight.getSize(0));
  if (failed(checkConvolution(call, image, weight.getShape(), output,
                              op.getGroups())))
    return failure();
  Tensor *result = call.allocateResult(output.getShape());
  if (!result)
    return failure();
  std::vector<Real> sums(result->getNumElements(), 0);
  forEachProduct(output, image, weight.getShape(), window, op.getGroups(),
                 [&](int64_t o, int64_t i, int64_t w) {
                   sums[o] += input.getReal(i) * weight.getReal(w);
                 });
  setReals(*result, sums);
  return success();
}

/// A gradient is only defined where the forward op would give the cotangent.
static LogicalResult checkCotangent(KernelCall &call, const ImageShape &expected,
                                    const Tensor &cotangent) {
  SmallVector<int64_t> shape = expected.getShape();
  if (cotangent.getShape() == ArrayRef<int64_t>(shape))
    return success();
  return call.fail("ValueError: '" + call.getOp()->getName().getStringRef() +
                   "' got a cotangent " + cotangent.getTypeText() +
                   " that the forward op could not have given");
}

static LogicalResult runConv2DInputGrad(Conv2DInputGradOp op, KernelCall &call) {
  const Tensor &cotangent = call.get(op.getCotangent());
  const Tensor &weight = call.get(op.getWeight());
  Tensor *result = call.allocateResult(op.getDynamicSizes());
  if (!result)
    return failure();
  ImageShape image(result->getShape(), op.getLayout());
  WindowGeometry window = getConvolutionWindow(op, weight.getShape());
  ImageShape output = window.getOutput(image, weight.getSize(0));
  if (failed(checkConvolution(call, image, weight.getShape(), output,
                              op.getGroups())) ||
      failed(checkCotangent(call, output, cotangent)))
    return failure();
  std::vector<Real> sums(result->getNumElements(), 0);
  forEachProduct(output, image, weight.getShape(), window, op.getGroups(),
                 [&](int64_t o, int64_t i, int64_t w) {
                   sums[i] += cotangent.getReal(o) * weight.getReal(w);
                 });
  setReals(*result, sums);
  return success();
}

static LogicalResult runConv2DWeightGrad(Conv2DWeightGradOp op, KernelCall &call) {
  const Tensor &input = call.get(op.getInput());
  const Tensor &cotangent = call.get(op.getCotangent());
  Tensor *result = call.allocateResult(op.getDynamicSizes());
  if (!result)
    return failure();
  ImageShape image(input.getShape(), op.getLayout());
  WindowGeometry window = getConvolutionWindow(op, result->getShape());
  ImageShape output = window.getOutput(image, result->getSize(0));
  if (failed(checkConvolution(call, image, result->getShape(), output,
                              op.getGroups())) ||
      failed(checkCotangent(call, output, cotangent)))
    return failure();
  std::vector<Real> sums(result->getNumElements(), 0);
  forEachProduct(output, image, result->getShape(), window, op.getGroups(),
                 [&](int64_t o, int64_t i, int64_t w) {
                   sums[w] += cotangent.getReal(o) * input.getReal(i);
                 });
  setReals(*result, sums);
  return success();
}

void reference::populateLinearKernels(KernelRegistry &registry) {
  registry.add<MatMulOp>(runMatMul);
  registry.add<Conv2DOp>(runConv2D);
  registry.add<Conv2DInputGradOp>(runConv2DInputGrad);
  registry.add<Conv2DWeightGradOp>(runConv2DWeightGrad);
  populatePoolingKernels(registry);
}
