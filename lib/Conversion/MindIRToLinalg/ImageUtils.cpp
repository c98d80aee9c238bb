//===- ImageUtils.cpp - image batches in a layout -------------------------===//
//
// Padding and cropping of image batches.
//
//===----------------------------------------------------------------------===//

#include "ImageUtils.h"

using namespace mlir;
using namespace mlir::mindir;

PaddedShape::PaddedShape(OpBuilder &builder, Location loc,
                         RankedTensorType image, ValueRange imageSizes,
                         ImageDims dims, ArrayRef<int64_t> padding) {
  SmallVector<int64_t> extra(image.getRank(), 0);
  extra[dims.height] = padding[0] + padding[1];
  extra[dims.width] = padding[2] + padding[3];
  SmallVector<int64_t> shape(image.getShape());
  unsigned next = 0;
  for (auto [size, more] : llvm::zip(shape, extra)) {
    if (!ShapedType::isDynamic(size)) {
      size += more;
      continue;
    }
    dynamicSizes.push_back(builder.createOrFold<arith::AddIOp>(
        loc, imageSizes[next++], indexConstant(builder, loc, more)));
  }
  type = image.clone(shape);
}

SmallVector<Value> mlir::mindir::getUnknownSizes(OpBuilder &builder,
                                                 Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(getSize(builder, loc, tensor, dim));
  return sizes;
}

/// Where the image begins inside its padding.
static SmallVector<OpFoldResult> getOrigin(OpBuilder &builder, int64_t rank,
                                           ImageDims dims,
                                           ArrayRef<int64_t> padding) {
  SmallVector<OpFoldResult> origin(rank, builder.getIndexAttr(0));
  origin[dims.height] = builder.getIndexAttr(padding[0]);
  origin[dims.width] = builder.getIndexAttr(padding[2]);
  return origin;
}

Value mlir::mindir::padImage(OpBuilder &builder, Location loc, Value image,
                             ImageDims dims, ArrayRef<int64_t> padding,
                             Value value) {
  if (llvm::all_of(padding, [](int64_t p) { return p == 0; }))
    return image;
  auto type = cast<RankedTensorType>(image.getType());
  SmallVector<Value> sizes = getUnknownSizes(builder, loc, image);
  PaddedShape padded(builder, loc, type, sizes, dims, padding);
  Value filled =
      createFilled(builder, loc, padded.type, padded.dynamicSizes, value);
  if (isEmpty(type))
    return filled;
  SmallVector<OpFoldResult> ones(type.getRank(), builder.getIndexAttr(1));
  return tensor::InsertSliceOp::create(
      builder, loc, image, filled,
      getOrigin(builder, type.getRank(), dims, padding),
      mlir::mindir::getMixedSizes(builder, type, sizes), ones);
}

Value mlir::mindir::cropImage(OpBuilder &builder, Location loc, Value padded,
                              RankedTensorType type, ValueRange dynamicSizes,
                              ImageDims dims, ArrayRef<int64_t> padding) {
  if (llvm::all_of(padding, [](int64_t p) { return p == 0; }))
    return padded;
  if (isEmpty(type))
    return createEmpty(builder, loc, type, dynamicSizes);
  SmallVector<OpFoldResult> ones(type.getRank(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(
      builder, loc, type, padded,
      getOrigin(builder, type.getRank(), dims, padding),
      mlir::mindir::getMixedSizes(builder, type, dynamicSizes), ones);
}
