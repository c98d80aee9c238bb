//===- Windows.h - images and windows over them ---------------------------===//
//
// Positions in batches of images, and the elements that a convolution's or a
// pooling's window covers.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_REFERENCE_WINDOWS_H
#define MINDIR_REFERENCE_WINDOWS_H

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Reference/Tensor.h"

namespace mlir::mindir::reference {

class KernelRegistry;

/// Sizes of a batch of images, whichever order its dimensions have.
struct ImageShape {
  ImageLayout layout = ImageLayout::nchw;
  int64_t batch = 0, channels = 0, height = 0, width = 0;

  ImageShape() = default;
  ImageShape(ArrayRef<int64_t> shape, ImageLayout layout);
  SmallVector<int64_t> getShape() const;
  int64_t getPosition(int64_t n, int64_t c, int64_t y, int64_t x) const;
};

/// A place of a window, and the image's element under it.
struct WindowTap {
  int64_t row, column, y, x;
};

/// Size and movement of a window; `padding` is [top, bottom, left, right].
struct WindowGeometry {
  ArrayRef<int64_t> window, strides, padding, dilations;

  /// The batch that a window op over `input` gives, with so many channels.
  ImageShape getOutput(const ImageShape &input, int64_t channels) const;
  /// Visits, for the window of output (y, x), its places inside the image.
  void forEachTap(int64_t y, int64_t x, const ImageShape &image,
                  llvm::function_ref<void(const WindowTap &)> visit) const;
};

/// Pooling, which `populateLinearKernels` includes.
void populatePoolingKernels(KernelRegistry &registry);

} // namespace mlir::mindir::reference

#endif // MINDIR_REFERENCE_WINDOWS_H
