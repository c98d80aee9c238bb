//===- ImageUtils.h - image batches in a layout ---------------------------===//
//
// What the lowerings of convolution and pooling share.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_CONVERSION_MINDIRTOLINALG_IMAGEUTILS_H
#define MINDIR_LIB_CONVERSION_MINDIRTOLINALG_IMAGEUTILS_H

#include "LoweringUtils.h"

namespace mlir::mindir {

/// Positions of the dimensions of an image batch in a layout.
struct ImageDims {
  explicit ImageDims(ImageLayout layout)
      : batch(0), channels(layout == ImageLayout::nchw ? 1 : 3),
        height(layout == ImageLayout::nchw ? 2 : 1), width(height + 1) {}
  int64_t batch, channels, height, width;
};

/// The image surrounded by `value`; `padding` is [top, bottom, left, right].
Value padImage(OpBuilder &builder, Location loc, Value image, ImageDims dims,
               ArrayRef<int64_t> padding, Value value);

/// The type and unknown sizes of an image with padding around it.
struct PaddedShape {
  PaddedShape(OpBuilder &builder, Location loc, RankedTensorType image,
              ValueRange imageSizes, ImageDims dims, ArrayRef<int64_t> padding);
  RankedTensorType type;
  SmallVector<Value> dynamicSizes;
};

/// The inside of a padded image, as `type` with the given unknown sizes.
Value cropImage(OpBuilder &builder, Location loc, Value padded,
                RankedTensorType type, ValueRange dynamicSizes, ImageDims dims,
                ArrayRef<int64_t> padding);

/// The sizes of a tensor that its type does not know.
SmallVector<Value> getUnknownSizes(OpBuilder &builder, Location loc, Value tensor);

} // namespace mlir::mindir

#endif // MINDIR_LIB_CONVERSION_MINDIRTOLINALG_IMAGEUTILS_H
