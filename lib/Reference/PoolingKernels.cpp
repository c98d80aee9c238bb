//===- PoolingKernels.cpp - windows, and pooling by definition ------------===//
//
// Window geometry, maxima and means over windows, and their transposes.
//
//===----------------------------------------------------------------------===//

#include "mindir/Reference/Kernels.h"
#include "mindir/Reference/Windows.h"

#include <cmath>

using namespace mlir;
using namespace mlir::mindir;
using namespace mlir::mindir::reference;

//===----------------------------------------------------------------------===//
// Geometry
//===----------------------------------------------------------------------===//

ImageShape::ImageShape(ArrayRef<int64_t> shape, ImageLayout layout)
    : layout(layout), batch(shape[0]) {
  bool isChannelsFirst = layout == ImageLayout::nchw;
  channels = shape[isChannelsFirst ? 1 : 3];
  height = shape[isChannelsFirst ? 2 : 1];
  width = shape[isChannelsFirst ? 3 : 2];
}

SmallVector<int64_t> ImageShape::getShape() const {
  if (layout == ImageLayout::nchw)
    return {batch, channels, height, width};
  return {batch, height, width, channels};
}

int64_t ImageShape::getPosition(int64_t n, int64_t c, int64_t y, int64_t x) const {
  if (layout == ImageLayout::nchw)
    return ((n * channels + c) * height + y) * width + x;
  return ((n * height + y) * width + x) * channels + c;
}

ImageShape WindowGeometry::getOutput(const ImageShape &input,
                                     int64_t channels) const {
  auto countPlaces = [&](int64_t size, unsigned dim) {
    int64_t dilation = dilations.empty() ? 1 : dilations[dim];
    int64_t extent = (window[dim] - 1) * dilation + 1;
    int64_t padded = size + padding[2 * dim] + padding[2 * dim + 1];
    return padded < extent ? 0 : (padded - extent) / strides[dim] + 1;
  };
  ImageShape output = input;
  output.channels = channels;
  output.height = countPlaces(input.height, 0);
  output.width = countPlaces(input.width, 1);
  return output;
}

void WindowGeometry::forEachTap(
    int64_t y, int64_t x, const ImageShape &image,
    llvm::function_ref<void(const WindowTap &)> visit) const {
  for (int64_t row = 0; row < window[0]; ++row)
    for (int64_t column = 0; column < window[1]; ++column) {
      int64_t dilationY = dilations.empty() ? 1 : dilations[0];
      int64_t dilationX = dilations.empty() ? 1 : dilations[1];
      int64_t imageY = y * strides[0] + row * dilationY - padding[0];
      int64_t imageX = x * strides[1] + column * dilationX - padding[2];
      if (imageY >= 0 && imageY < image.height && imageX >= 0 &&
          imageX < image.width)
        visit({row, column, imageY, imageX});
    }
}

template <typename OpTy> static WindowGeometry getPoolingWindow(OpTy op) {
  return {op.getWindow(), op.getStrides(), op.getPadding(), {}};
}

/// Visits each element of a batch of images by (n, c, y, x).
static void forEachPixel(const ImageShape &image,
                         llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  forEachIndex({image.batch, image.channels, image.height, image.width}, visit);
}

/// What must hold of sizes that types do not know.
static LogicalResult checkWindow(KernelCall &call, const ImageShape &image,
                                 const ImageShape &output) {
  if (image.height > 0 && image.width > 0 && output.height > 0 && output.width > 0)
    return success();
  return call.fail("ValueError: '" + call.getOp()->getName().getStringRef() +
                   "' expected an image with elements, and a window that is not "
                   "larger than the padded image");
}

//===----------------------------------------------------------------------===//
// Maximum
//===----------------------------------------------------------------------===//

/// Whether `i` beats the maximum so far; the first NaN beats every number.
static bool isGreater(const Tensor &input, int64_t i, int64_t best) {
  if (!input.isFloat())
    return input.getInteger(i) > input.getInteger(best);
  if (std::isnan(input.getReal(best)))
    return false;
  return std::isnan(input.getReal(i)) || input.getReal(i) > input.getReal(best);
}

static LogicalResult runMaxPool2D(MaxPool2DOp op, KernelCall &call) {
  const Tensor &input = call.get(op.getInput());
  ImageShape image(input.getShape(), op.getLayout());
  WindowGeometry window = getPoolingWindow(op);
  ImageShape output = window.getOutput(image, image.channels);
  if (failed(checkWindow(call, image, output)))
    return failure();
  Tensor *result = call.allocateResult(output.getShape());
  Tensor *indices = result ? call.allocateResult(output.getShape()) : nullptr;
  if (!indices)
    return failure();
  forEachPixel(output, [&](ArrayRef<int64_t> i) {
    int64_t best = -1, bestInPlane = -1;
    window.forEachTap(i[2], i[3], image, [&](const WindowTap &tap) {
      int64_t position = image.getPosition(i[0], i[1], tap.y, tap.x);
      if (best >= 0 && !isGreater(input, position, best))
        return;
      best = position;
      bestInPlane = tap.y * image.width + tap.x;
    });
    int64_t to = output.getPosition(i[0], i[1], i[2], i[3]);
    result->copyElement(to, input, best);
    indices->setInteger(to, bestInPlane);
  });
  return success();
}

/// Visits each pooled element and the position in the image plane that it names.
static LogicalResult forEachPooled(
    KernelCall &call, const ImageShape &pooled, const ImageShape &image,
    const Tensor &indices, llvm::function_ref<void(int64_t, int64_t)> visit) {
  bool isInside = true;
  forEachPixel(pooled, [&](ArrayRef<int64_t> i) {
    int64_t at = pooled.getPosition(i[0], i[1], i[2], i[3]);
    int64_t place = static_cast<int64_t>(indices.getInteger(at));
    bool isPlace = place >= 0 && place < image.height * image.width;
    isInside &= isPlace;
    if (isPlace)
      visit(at, image.getPosition(i[0], i[1], place / image.width,
                                  place % image.width));
  });
  if (isInside)
    return success();
  return call.fail("IndexError: '" + call.getOp()->getName().getStringRef() +
                   "' got an index outside of the image plane of " +
                   Twine(image.height) + " by " + Twine(image.width));
}

static LogicalResult checkPlanes(KernelCall &call, const Tensor &values,
                                 const Tensor &indices, const ImageShape &pooled,
                                 const ImageShape &image) {
  if (pooled.batch == image.batch && pooled.channels == image.channels &&
      values.getShape() == indices.getShape())
    return success();
  return call.fail("ValueError: '" + call.getOp()->getName().getStringRef() +
                   "' expected indices of the shape of what was pooled, with the "
                   "batch and channels of the image");
}

static LogicalResult runPoolGather(PoolGatherOp op, KernelCall &call) {
  const Tensor &input = call.get(op.getInput());
  const Tensor &indices = call.get(op.getIndices());
  ImageShape image(input.getShape(), op.getLayout());
  ImageShape pooled(indices.getShape(), op.getLayout());
  if (failed(checkPlanes(call, indices, indices, pooled, image)))
    return failure();
  Tensor *result = call.allocateResult(indices.getShape());
  if (!result)
    return failure();
  return forEachPooled(call, pooled, image, indices, [&](int64_t at, int64_t from) {
    result->copyElement(at, input, from);
  });
}

static LogicalResult runPoolScatter(PoolScatterOp op, KernelCall &call) {
  const Tensor &input = call.get(op.getInput());
  const Tensor &indices = call.get(op.getIndices());
  Tensor *result = call.allocateResult(op.getDynamicSizes());
  if (!result)
    return failure();
  ImageShape image(result->getShape(), op.getLayout());
  ImageShape pooled(indices.getShape(), op.getLayout());
  if (failed(checkPlanes(call, input, indices, pooled, image)))
    return failure();
  std::vector<Real> reals(result->getNumElements(), 0);
  std::vector<Integer> integers(result->getNumElements(), 0);
  LogicalResult status =
      forEachPooled(call, pooled, image, indices, [&](int64_t at, int64_t to) {
        if (input.isFloat())
          reals[to] += input.getReal(at);
        else
          integers[to] = addWrapping(integers[to], input.getInteger(at));
      });
  for (int64_t i = 0, e = result->getNumElements(); i < e; ++i)
    if (result->isFloat())
      result->setReal(i, reals[i]);
    else
      result->setInteger(i, integers[i]);
  return status;
}

//===----------------------------------------------------------------------===//
// Mean
//===----------------------------------------------------------------------===//

/// What the sum over the window of output (y, x) is divided by.
template <typename OpTy>
static Real getDivisor(OpTy op, const WindowGeometry &window, int64_t y, int64_t x,
                       const ImageShape &image) {
  if (op.getCountIncludePad())
    return window.window[0] * window.window[1];
  int64_t count = 0;
  window.forEachTap(y, x, image, [&](const WindowTap &) { ++count; });
  return count;
}

static LogicalResult runAvgPool2D(AvgPool2DOp op, KernelCall &call) {
  const Tensor &input = call.get(op.getInput());
  ImageShape image(input.getShape(), op.getLayout());
  WindowGeometry window = getPoolingWindow(op);
  ImageShape output = window.getOutput(image, image.channels);
  if (failed(checkWindow(call, image, output)))
    return failure();
  Tensor *result = call.allocateResult(output.getShape());
  if (!result)
    return failure();
  forEachPixel(output, [&](ArrayRef<int64_t> i) {
    Real sum = 0;
    window.forEachTap(i[2], i[3], image, [&](const WindowTap &tap) {
      sum += input.getReal(image.getPosition(i[0], i[1], tap.y, tap.x));
    });
    result->setReal(output.getPosition(i[0], i[1], i[2], i[3]),
                    sum / getDivisor(op, window, i[2], i[3], image));
  });
  return success();
}

static LogicalResult runAvgPool2DGrad(AvgPool2DGradOp op, KernelCall &call) {
  const Tensor &cotangent = call.get(op.getCotangent());
  Tensor *result = call.allocateResult(op.getDynamicSizes());
  if (!result)
    return failure();
  ImageShape image(result->getShape(), op.getLayout());
  WindowGeometry window = getPoolingWindow(op);
  ImageShape output = window.getOutput(image, image.channels);
  if (failed(checkWindow(call, image, output)))
    return failure();
  if (cotangent.getShape() != ArrayRef<int64_t>(output.getShape()))
    return call.fail("ValueError: 'mindir.avg_pool2d_grad' got a cotangent " +
                     cotangent.getTypeText() +
                     " that avg_pool2d could not have given");
  std::vector<Real> sums(result->getNumElements(), 0);
  forEachPixel(output, [&](ArrayRef<int64_t> i) {
    Real share = cotangent.getReal(output.getPosition(i[0], i[1], i[2], i[3])) /
                 getDivisor(op, window, i[2], i[3], image);
    window.forEachTap(i[2], i[3], image, [&](const WindowTap &tap) {
      sums[image.getPosition(i[0], i[1], tap.y, tap.x)] += share;
    });
  });
  for (auto [i, sum] : llvm::enumerate(sums))
    result->setReal(i, sum);
  return success();
}

void reference::populatePoolingKernels(KernelRegistry &registry) {
  registry.add<MaxPool2DOp>(runMaxPool2D);
  registry.add<PoolGatherOp>(runPoolGather);
  registry.add<PoolScatterOp>(runPoolScatter);
  registry.add<AvgPool2DOp>(runAvgPool2D);
  registry.add<AvgPool2DGradOp>(runAvgPool2DGrad);
}
