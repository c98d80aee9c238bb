//===- PoolingToLinalg.cpp - pooling over windows -------------------------===//
//
// Pooling reduces over a window; its derivatives go by the positions it recorded.
//
//===----------------------------------------------------------------------===//

#include "ImageUtils.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::mindir;

namespace {

/// Geometry of a pooling op. Loops: the result's four dimensions, then the window's
/// rows and columns.
struct Pooling {
  template <typename Op>
  explicit Pooling(Op op)
      : context(op.getContext()), dims(op.getLayout()), window(op.getWindow()),
        strides(op.getStrides()), padding(op.getPadding()) {}

  AffineMap pooled() const { return AffineMap::getMultiDimIdentityMap(6, context).getMajorSubMap(4); }
  AffineMap windowMap() const { return AffineMap::getMultiDimIdentityMap(6, context).getMinorSubMap(2); }

  /// The padded image under the window.
  AffineMap image() const {
    SmallVector<AffineExpr> exprs;
    for (unsigned dim = 0; dim < 4; ++dim)
      exprs.push_back(getAffineDimExpr(dim, context));
    for (unsigned s = 0; s < 2; ++s)
      exprs[dims.height + s] =
          exprs[dims.height + s] * strides[s] + getAffineDimExpr(4 + s, context);
    return AffineMap::get(6, 0, exprs, context);
  }

  SmallVector<utils::IteratorType> iterators() const {
    SmallVector<utils::IteratorType> result(4, utils::IteratorType::parallel);
    result.append(2, utils::IteratorType::reduction);
    return result;
  }

  /// A tensor without contents that has the window's shape.
  Value shapeOfWindow(OpBuilder &b, Location loc) const {
    return tensor::EmptyOp::create(b, loc, window, b.getI1Type());
  }

  /// The size of the result along spatial dimension `s`, and what of it must not be
  /// negative: how far the window can move.
  std::pair<Value, Value> pooledSize(OpBuilder &b, Location loc, Value size,
                                     unsigned s) const {
    int64_t extra = padding[2 * s] + padding[2 * s + 1] - window[s];
    Value span =
        b.createOrFold<arith::AddIOp>(loc, size, indexConstant(b, loc, extra));
    Value steps = b.createOrFold<arith::DivSIOp>(
        loc, span, indexConstant(b, loc, strides[s]));
    return {b.createOrFold<arith::AddIOp>(loc, steps, indexConstant(b, loc, 1)),
            span};
  }

  /// The unknown sizes of the result of pooling `input`.
  SmallVector<Value> unknownSizes(OpBuilder &b, Location loc, Value input,
                                  RankedTensorType type) const {
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < 4; ++dim) {
      if (!type.isDynamicDim(dim))
        continue;
      Value size = getSize(b, loc, input, dim);
      int64_t s = dim - dims.height;
      sizes.push_back(s == 0 || s == 1 ? pooledSize(b, loc, size, s).first : size);
    }
    return sizes;
  }

  /// Checks that the window fits into an image, and, of a gradient, that the
  /// `pooled` sizes are those that pooling would give.
  void checkSizes(OpBuilder &b, Operation *op, ArrayRef<Value> image,
                  ArrayRef<Value> pooled = {}) const {
    Location loc = op->getLoc();
    SizeChecks checks(b, loc);
    for (int64_t dim = 0; dim < 4; ++dim) {
      int64_t s = dim - dims.height;
      if (s != 0 && s != 1) {
        if (!pooled.empty())
          checks.expectEqual(pooled[dim], image[dim]);
        continue;
      }
      auto [size, span] = pooledSize(b, loc, image[dim], s);
      checks.expectAtMost(indexConstant(b, loc, 1), image[dim]);
      checks.expectAtMost(indexConstant(b, loc, 0), span);
      if (!pooled.empty())
        checks.expectEqual(pooled[dim], size);
    }
    checks.emit(op, pooled.empty()
                        ? "the window is larger than the padded image, or the image "
                          "has no elements"
                        : "pooling the image would give another shape than the "
                          "cotangent's");
  }

  MLIRContext *context;
  ImageDims dims;
  ArrayRef<int64_t> window, strides, padding;
};

//===----------------------------------------------------------------------===//
// Maximum
//===----------------------------------------------------------------------===//

struct MaxPoolPattern : OpConversionPattern<MaxPool2DOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MaxPool2DOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    Pooling pool(op);
    Type element = elementTypeOf(op.getInput());
    Value input = adaptor.getInput();
    pool.checkSizes(b, op, getSizes(b, loc, input));
    auto type = cast<RankedTensorType>(
        getTypeConverter()->convertType(op.getResult().getType()));
    auto indexType = cast<RankedTensorType>(op.getIndices().getType());
    Value zero = arith::ConstantOp::create(
        b, loc, b.getZeroAttr(type.getElementType()));
    Value none = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(-1));
    Value padded = padImage(b, loc, input, pool.dims, pool.padding, zero);
    Value maxima = createFilled(b, loc, type,
                                pool.unknownSizes(b, loc, input, type), zero);
    Value indices = createFilled(
        b, loc, indexType, pool.unknownSizes(b, loc, input, indexType), none);
    Value height = getSize(b, loc, input, pool.dims.height);
    Value width = getSize(b, loc, input, pool.dims.width);
    SmallVector<Value> results = createLoops(
        b, loc, {padded, pool.shapeOfWindow(b, loc)}, {maxima, indices},
        {pool.image(), pool.windowMap(), pool.pooled(), pool.pooled()},
        pool.iterators(), [&](OpBuilder &b, Location loc, ValueRange args) {
          return compareWithBest(b, loc, pool, element, height, width, args[0],
                                 args[2], args[3]);
        });
    b.replaceOp(op, results);
    return success();
  }

private:
  /// The image coordinate under the window along spatial dimension `s`, and
  /// whether it lies inside.
  static std::pair<Value, Value> getCoordinate(OpBuilder &b, Location loc,
                                               const Pooling &pool, unsigned s,
                                               Value size) {
    Value position = linalg::IndexOp::create(b, loc, pool.dims.height + s);
    Value inWindow = linalg::IndexOp::create(b, loc, 4 + s);
    Value start = arith::MulIOp::create(b, loc, position,
                                        indexConstant(b, loc, pool.strides[s]));
    Value padded = arith::AddIOp::create(b, loc, start, inWindow);
    Value coordinate = arith::SubIOp::create(
        b, loc, padded, indexConstant(b, loc, pool.padding[2 * s]));
    // Before the image is beyond it when taken as unsigned.
    Value isInside = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::ult, coordinate, size);
    return {coordinate, isInside};
  }

  static SmallVector<Value> compareWithBest(OpBuilder &b, Location loc,
                                            const Pooling &pool, Type element,
                                            Value height, Value width,
                                            Value value, Value best,
                                            Value bestIndex) {
    auto [y, yInside] = getCoordinate(b, loc, pool, 0, height);
    auto [x, xInside] = getCoordinate(b, loc, pool, 1, width);
    Value isInside = arith::AndIOp::create(b, loc, yInside, xInside);
    Value none = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(-1));
    Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                          bestIndex, none);
    ScalarBuilder s(b, loc, element);
    Value isBetter = s.beats(s.load(value), s.load(best), /*maximum=*/true);
    Value wins = arith::OrIOp::create(b, loc, isFirst, isBetter);
    wins = arith::AndIOp::create(b, loc, wins, isInside);
    Value row = arith::MulIOp::create(b, loc, y, width);
    Value place = arith::IndexCastOp::create(
        b, loc, b.getI64Type(), arith::AddIOp::create(b, loc, row, x));
    return {arith::SelectOp::create(b, loc, wins, value, best),
            arith::SelectOp::create(b, loc, wins, place, bestIndex)};
  }
};

//===----------------------------------------------------------------------===//
// Recorded positions
//===----------------------------------------------------------------------===//

/// Whether a position lies outside an image of `count` elements.
Value isOutside(OpBuilder &b, Location loc, Value place, Value count) {
  Value limit = arith::IndexCastOp::create(b, loc, place.getType(), count);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, place, limit);
}

/// Checks that positions and images have equal batch and channels, and that there is a
/// position for each element of `values`.
void checkPlanes(OpBuilder &b, Operation *op, ImageDims dims, Value image,
                 Value indices, Value values) {
  SizeChecks checks(b, op->getLoc());
  checks.expectEqual(image, dims.batch, indices, dims.batch);
  checks.expectEqual(image, dims.channels, indices, dims.channels);
  for (int64_t dim = 0; dim < 4; ++dim)
    checks.expectEqual(values, dim, indices, dim);
  checks.emit(op, "the positions must have the shape of what was pooled, and the "
                  "batch and channels of the image");
}

/// Ends the run with an IndexError when a position lies outside the image.
void checkPositions(OpBuilder &b, Location loc, StringRef name, Value indices,
                    Value count) {
  auto type = RankedTensorType::get({}, b.getI1Type());
  Value no = arith::ConstantOp::create(b, loc, b.getBoolAttr(false));
  int64_t rank = cast<RankedTensorType>(indices.getType()).getRank();
  Value any = createLoop(
      b, loc, indices, createFilled(b, loc, type, {}, no),
      {b.getMultiDimIdentityMap(rank), AffineMap::get(rank, 0, b.getContext())},
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::reduction),
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        return arith::OrIOp::create(b, loc, args[1],
                                    isOutside(b, loc, args[0], count));
      });
  emitErrorIf(b, loc, tensor::ExtractOp::create(b, loc, any),
              /*MINDRT_INDEX_ERROR=*/3,
              ("For '" + name + "', a position lies outside the image").str());
}

/// The element of an image plane at a position, which is moved inside.
SmallVector<Value> getPlace(OpBuilder &b, Location loc, ImageDims dims,
                            ValueRange at, Value place, Value width, Value count) {
  Value position = arith::IndexCastOp::create(b, loc, b.getIndexType(), place);
  Value one = indexConstant(b, loc, 1), zero = indexConstant(b, loc, 0);
  Value last = arith::SubIOp::create(b, loc, count, one);
  position = arith::MinSIOp::create(b, loc, position, last);
  position = arith::MaxSIOp::create(b, loc, position, zero);
  SmallVector<Value> result(at);
  result[dims.height] = arith::DivUIOp::create(b, loc, position, width);
  result[dims.width] = arith::RemUIOp::create(b, loc, position, width);
  return result;
}

struct PoolGatherPattern : OpConversionPattern<PoolGatherOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PoolGatherOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    ImageDims dims(op.getLayout());
    Value input = adaptor.getInput(), indices = adaptor.getIndices();
    auto type =
        cast<RankedTensorType>(getTypeConverter()->convertType(op.getType()));
    Value width = getSize(b, loc, input, dims.width);
    Value count = arith::MulIOp::create(
        b, loc, getSize(b, loc, input, dims.height), width);
    checkPlanes(b, op, dims, input, indices, indices);
    checkPositions(b, loc, "PoolGather", indices, count);
    Value result = createParallelLoop(
        b, loc, indices, createEmptyLike(b, loc, type, indices),
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          SmallVector<Value> at;
          for (int64_t dim = 0; dim < 4; ++dim)
            at.push_back(linalg::IndexOp::create(b, loc, dim));
          return tensor::ExtractOp::create(
              b, loc, input, getPlace(b, loc, dims, at, args[0], width, count));
        });
    b.replaceOp(op, result);
    return success();
  }
};

struct PoolScatterPattern : OpConversionPattern<PoolScatterOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PoolScatterOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    ImageDims dims(op.getLayout());
    Type element = elementTypeOf(op.getInput());
    auto type =
        cast<RankedTensorType>(getTypeConverter()->convertType(op.getType()));
    Value zero = ScalarBuilder(b, loc, element).constant(0);
    Value plane =
        createFilled(b, loc, type.clone(getComputeType(element)),
                     adaptor.getDynamicSizes(), zero);
    Value width = getSize(b, loc, plane, dims.width);
    Value count = arith::MulIOp::create(
        b, loc, getSize(b, loc, plane, dims.height), width);
    checkPlanes(b, op, dims, plane, adaptor.getIndices(), adaptor.getInput());
    checkPositions(b, loc, "PoolScatter", adaptor.getIndices(), count);
    Value sum = addAtPlaces(b, loc, dims, element, adaptor, plane, width, count);
    b.replaceOp(op, roundToStorage(b, loc, sum, element, type));
    return success();
  }

private:
  static Value addAtPlaces(OpBuilder &b, Location loc, ImageDims dims,
                           Type element, OpAdaptor adaptor, Value plane,
                           Value width, Value count) {
    Value zero = indexConstant(b, loc, 0), one = indexConstant(b, loc, 1);
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < 4; ++dim)
      sizes.push_back(getSize(b, loc, adaptor.getInput(), dim));
    scf::LoopNest nest = scf::buildLoopNest(
        b, loc, SmallVector<Value>(4, zero), sizes, SmallVector<Value>(4, one),
        plane,
        [&](OpBuilder &b, Location loc, ValueRange at, ValueRange carried) {
          ScalarBuilder s(b, loc, element);
          Value value = s.load(
              tensor::ExtractOp::create(b, loc, adaptor.getInput(), at));
          Value place =
              tensor::ExtractOp::create(b, loc, adaptor.getIndices(), at);
          SmallVector<Value> to =
              getPlace(b, loc, dims, at, place, width, count);
          Value old = tensor::ExtractOp::create(b, loc, carried[0], to);
          Value updated = tensor::InsertOp::create(
              b, loc, s.add(old, value), carried[0], to);
          return scf::ValueVector{updated};
        });
    return nest.results[0];
  }
};

//===----------------------------------------------------------------------===//
// Mean
//===----------------------------------------------------------------------===//

/// The divisor of a mean at the current pooled position, as a float.
Value getDivisor(OpBuilder &b, Location loc, const Pooling &pool,
                 bool countPadding, ArrayRef<Value> imageSizes,
                 ScalarBuilder &s) {
  if (countPadding)
    return s.constant(static_cast<double>(pool.window[0] * pool.window[1]));
  Value zero = indexConstant(b, loc, 0), count;
  for (unsigned d = 0; d < 2; ++d) {
    Value position = linalg::IndexOp::create(b, loc, pool.dims.height + d);
    Value start = arith::MulIOp::create(b, loc, position,
                                        indexConstant(b, loc, pool.strides[d]));
    start = arith::SubIOp::create(b, loc, start,
                                  indexConstant(b, loc, pool.padding[2 * d]));
    Value end = arith::AddIOp::create(b, loc, start,
                                      indexConstant(b, loc, pool.window[d]));
    Value inside = arith::SubIOp::create(
        b, loc, arith::MinSIOp::create(b, loc, end, imageSizes[d]),
        arith::MaxSIOp::create(b, loc, start, zero));
    count = count ? Value(arith::MulIOp::create(b, loc, count, inside)) : inside;
  }
  Value integer = arith::IndexCastOp::create(b, loc, b.getI64Type(), count);
  return arith::SIToFPOp::create(b, loc, s.compute, integer);
}

struct AvgPoolPattern : OpConversionPattern<AvgPool2DOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AvgPool2DOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    Pooling pool(op);
    Type element = elementTypeOf(op.getInput());
    Value input = adaptor.getInput();
    pool.checkSizes(b, op, getSizes(b, loc, input));
    auto type = cast<RankedTensorType>(op.getType());
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
    Value padded = padImage(b, loc, input, pool.dims, pool.padding, zero);
    Value init = createFilled(b, loc, type.clone(getComputeType(element)),
                              pool.unknownSizes(b, loc, input, type),
                              ScalarBuilder(b, loc, element).constant(0));
    Value sum = createLoop(
        b, loc, {padded, pool.shapeOfWindow(b, loc)}, init,
        {pool.image(), pool.windowMap(), pool.pooled()}, pool.iterators(),
        [&](OpBuilder &b, Location loc, ValueRange args) {
          ScalarBuilder s(b, loc, element);
          return s.add(args[2], s.load(args[0]));
        });
    SmallVector<Value> imageSizes = {getSize(b, loc, input, pool.dims.height),
                                     getSize(b, loc, input, pool.dims.width)};
    Value mean = createParallelLoop(
        b, loc, sum, createEmptyLike(b, loc, type, sum),
        [&](OpBuilder &b, Location loc, ValueRange args) {
          ScalarBuilder s(b, loc, element);
          Value divisor = getDivisor(b, loc, pool, op.getCountIncludePad(),
                                     imageSizes, s);
          return s.store(arith::DivFOp::create(b, loc, args[0], divisor));
        });
    b.replaceOp(op, mean);
    return success();
  }
};

struct AvgPoolGradPattern : OpConversionPattern<AvgPool2DGradOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AvgPool2DGradOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    Pooling pool(op);
    Type element = elementTypeOf(op.getCotangent());
    auto type = cast<RankedTensorType>(op.getType());
    RankedTensorType wide = type.clone(getComputeType(element));
    PaddedShape padded(b, loc, wide, adaptor.getDynamicSizes(), pool.dims,
                       pool.padding);
    SmallVector<Value> image =
        getSizes(b, loc, type, adaptor.getDynamicSizes());
    pool.checkSizes(b, op, image, getSizes(b, loc, adaptor.getCotangent()));
    Value imageSizes[] = {image[pool.dims.height], image[pool.dims.width]};
    SmallVector<utils::IteratorType> iterators(6,
                                               utils::IteratorType::reduction);
    iterators[pool.dims.batch] = iterators[pool.dims.channels] =
        utils::IteratorType::parallel;
    Value init =
        createFilled(b, loc, padded.type, padded.dynamicSizes,
                     ScalarBuilder(b, loc, element).constant(0));
    Value sum = createLoop(
        b, loc, {adaptor.getCotangent(), pool.shapeOfWindow(b, loc)}, init,
        {pool.pooled(), pool.windowMap(), pool.image()}, iterators,
        [&](OpBuilder &b, Location loc, ValueRange args) {
          ScalarBuilder s(b, loc, element);
          Value divisor = getDivisor(b, loc, pool, op.getCountIncludePad(),
                                     imageSizes, s);
          Value share = arith::DivFOp::create(b, loc, s.load(args[0]), divisor);
          return s.add(args[2], share);
        });
    Value cropped = cropImage(b, loc, sum, wide, adaptor.getDynamicSizes(),
                              pool.dims, pool.padding);
    b.replaceOp(op, roundToStorage(b, loc, cropped, element, type));
    return success();
  }
};

} // namespace

void mlir::mindir::populatePoolingToLinalg(const TypeConverter &converter,
                                           RewritePatternSet &patterns) {
  patterns.add<MaxPoolPattern, PoolGatherPattern, PoolScatterPattern,
               AvgPoolPattern, AvgPoolGradPattern>(converter,
                                                   patterns.getContext());
}
