//===- ConvolutionToLinalg.cpp - convolution and its gradients ------------===//
//
// The three maps of a convolution are one loop nest with another tensor as its
// output: images as [batch, groups, channels, height, width] (or channels last),
// the weight as [groups, outputs, channels, height, width].
//
//===----------------------------------------------------------------------===//

#include "ImageUtils.h"

using namespace mlir;
using namespace mlir::mindir;

namespace {

/// The loops of a convolution.
enum Loop : unsigned { N, G, O, Y, X, C, I, J, NumLoops };

/// Geometry of a convolution op, and its indexing maps.
struct Convolution {
  template <typename Op>
  explicit Convolution(Op op)
      : context(op.getContext()), dims(op.getLayout()),
        channelsLast(op.getLayout() == ImageLayout::nhwc),
        groups(op.getGroups()), strides(op.getStrides()),
        padding(op.getPadding()), dilations(op.getDilations()) {}

  AffineExpr loop(Loop l) const { return getAffineDimExpr(l, context); }

  AffineMap map(ArrayRef<AffineExpr> exprs) const {
    return AffineMap::get(NumLoops, 0, exprs, context);
  }

  AffineMap image(AffineExpr channel, AffineExpr row, AffineExpr column) const {
    if (channelsLast)
      return map({loop(N), row, column, loop(G), channel});
    return map({loop(N), loop(G), channel, row, column});
  }

  /// The (padded) input under the kernel element (i, j) at position (y, x).
  AffineMap input() const {
    return image(loop(C), loop(Y) * strides[0] + loop(I) * dilations[0],
                 loop(X) * strides[1] + loop(J) * dilations[1]);
  }
  AffineMap output() const { return image(loop(O), loop(Y), loop(X)); }
  AffineMap weight() const {
    return map({loop(G), loop(O), loop(C), loop(I), loop(J)});
  }

  /// Loops in `parallel` carry nothing; the others reduce.
  SmallVector<utils::IteratorType> iterators(ArrayRef<Loop> parallel) const {
    SmallVector<utils::IteratorType> result(NumLoops,
                                            utils::IteratorType::reduction);
    for (Loop l : parallel)
      result[l] = utils::IteratorType::parallel;
    return result;
  }

  MLIRContext *context;
  ImageDims dims;
  bool channelsLast;
  int64_t groups;
  ArrayRef<int64_t> strides, padding, dilations;
};

/// Splits dimension `dim` into [groups, size / groups].
RankedTensorType splitGroups(RankedTensorType type, int64_t dim, int64_t groups) {
  SmallVector<int64_t> shape(type.getShape());
  int64_t size = shape[dim];
  shape[dim] = ShapedType::isDynamic(size) ? size : size / groups;
  shape.insert(shape.begin() + dim, groups);
  return type.clone(shape);
}

SmallVector<ReassociationIndices> groupReassociation(int64_t rank, int64_t dim) {
  SmallVector<ReassociationIndices> result;
  for (int64_t i = 0; i < rank; ++i) {
    if (i < dim)
      result.push_back({i});
    else if (i == dim)
      result.push_back({i, i + 1});
    else
      result.push_back({i + 1});
  }
  return result;
}

Value splitGroups(OpBuilder &b, Location loc, Value tensor, int64_t dim,
                  int64_t groups) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return tensor::ExpandShapeOp::create(b, loc, splitGroups(type, dim, groups),
                                       tensor,
                                       groupReassociation(type.getRank(), dim));
}

Value joinGroups(OpBuilder &b, Location loc, Value tensor, int64_t dim,
                 RankedTensorType type) {
  return tensor::CollapseShapeOp::create(
      b, loc, type, tensor, groupReassociation(type.getRank(), dim));
}

/// Runs the loops: lhs and rhs multiplied into `type` with its group dimension
/// split at `dim`, from zero; the result in the storage type.
Value multiplyInto(OpBuilder &b, Location loc, const Convolution &conv,
                   ValueRange operands, ArrayRef<AffineMap> maps,
                   ArrayRef<Loop> parallel, RankedTensorType type,
                   ValueRange dynamicSizes, int64_t dim, Type element) {
  RankedTensorType accumulators = type.clone(getComputeType(element));
  Value zero = ScalarBuilder(b, loc, element).constant(0);
  Value filled = createFilled(b, loc, accumulators, dynamicSizes, zero);
  Value init = splitGroups(b, loc, filled, dim, conv.groups);
  Value product =
      createLoop(b, loc, operands, init, maps, conv.iterators(parallel),
                 [&](OpBuilder &b, Location loc, ValueRange args) {
                   ScalarBuilder s(b, loc, element);
                   return s.add(args[2], s.mul(s.load(args[0]), s.load(args[1])));
                 });
  Value joined = joinGroups(b, loc, product, dim, accumulators);
  return roundToStorage(b, loc, joined, element, type);
}

//===----------------------------------------------------------------------===//
// Library
//===----------------------------------------------------------------------===//

/// Fewest products for which a call is faster than generated loops, measured on one
/// thread (docs/Performance.md): a call costs some 9 us of its own.
constexpr int64_t kSmallest = 8 * 1024, kSmallestWeightGrad = 32 * 1024;

/// Whether there are fewer products than `smallest`; not if sizes are unknown.
bool isSmallerThan(int64_t smallest, Type output, Type weight) {
  auto image = cast<RankedTensorType>(output), filter = cast<RankedTensorType>(weight);
  return image.hasStaticShape() && filter.hasStaticShape() &&
         image.getNumElements() *
                 (filter.getNumElements() / filter.getDimSize(0)) < smallest;
}

/// Whether oneDNN has the convolution: f32, and sums of something.
bool isInLibrary(ValueRange operands, RankedTensorType result) {
  if (!result.getElementType().isF32())
    return false;
  return llvm::all_of(operands, [](Value operand) {
    return !llvm::is_contained(
        cast<RankedTensorType>(operand.getType()).getShape(), 0);
  });
}

/// The config of `mindir-c/Runtime.h`, without post-ops.
SmallVector<int64_t> getLibraryConfig(const Convolution &conv) {
  ArrayRef<int64_t> p = conv.padding;
  SmallVector<int64_t> config = {2, conv.channelsLast, /*MINDRT_OIK=*/0,
                                 conv.groups};
  llvm::append_range(config, conv.strides);
  llvm::append_range(config, conv.dilations);
  llvm::append_range(config, ArrayRef<int64_t>{p[0], p[2], p[1], p[3], 0});
  return config;
}

Value callLibrary(OpBuilder &b, Location loc, StringRef name,
                  const Convolution &conv, ValueRange operands,
                  RankedTensorType type, ValueRange dynamicSizes) {
  Value init = createEmpty(b, loc, type, dynamicSizes);
  return createLibraryCall(b, loc, name, operands, init,
                           getLibraryConfig(conv));
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

template <typename Op> struct ConvolutionPattern : OpConversionPattern<Op> {
  ConvolutionPattern(const TypeConverter &converter, MLIRContext *context,
                     bool useOneDNN)
      : OpConversionPattern<Op>(converter, context), useOneDNN(useOneDNN) {}
  bool useOneDNN;
};

/// Sizes of the three tensors of a convolution, as index values.
struct ConvolutionSizes {
  SmallVector<Value> image, weight, output;
};

/// floor((size + before + after - (kernel - 1) * dilation - 1) / stride) + 1, and
/// what must not be negative: the dividend.
std::pair<Value, Value> getOutputSize(OpBuilder &b, Location loc,
                                      const Convolution &conv, Value size,
                                      Value kernel, unsigned spatial) {
  auto constant = [&](int64_t value) { return indexConstant(b, loc, value); };
  int64_t dilation = conv.dilations[spatial];
  int64_t around = conv.padding[2 * spatial] + conv.padding[2 * spatial + 1];
  Value reach =
      b.createOrFold<arith::MulIOp>(loc, kernel, constant(dilation));
  Value span = b.createOrFold<arith::SubIOp>(loc, size, reach);
  span =
      b.createOrFold<arith::AddIOp>(loc, span, constant(around + dilation - 1));
  Value steps = b.createOrFold<arith::FloorDivSIOp>(
      loc, span, constant(conv.strides[spatial]));
  return {b.createOrFold<arith::AddIOp>(loc, steps, constant(1)), span};
}

/// Checks what the verifier checks of sizes that types know.
void checkSizes(OpBuilder &b, Operation *op, const Convolution &conv,
                const ConvolutionSizes &sizes) {
  Location loc = op->getLoc();
  auto isStatic = [](Type type) {
    return !isa<RankedTensorType>(type) ||
           cast<RankedTensorType>(type).hasStaticShape();
  };
  if (llvm::all_of(op->getOperandTypes(), isStatic) &&
      llvm::all_of(op->getResultTypes(), isStatic))
    return;
  SizeChecks checks(b, loc);
  Value groups = indexConstant(b, loc, conv.groups);
  int64_t channels = conv.dims.channels, height = conv.dims.height;
  Value outputs = sizes.weight[0];
  checks.expectEqual(
      sizes.image[channels],
      b.createOrFold<arith::MulIOp>(loc, sizes.weight[1], groups));
  checks.expectEqual(b.createOrFold<arith::RemUIOp>(loc, outputs, groups),
                     indexConstant(b, loc, 0));
  checks.expectEqual(sizes.output[channels], outputs);
  checks.expectEqual(sizes.output[conv.dims.batch], sizes.image[conv.dims.batch]);
  for (unsigned d : {0u, 1u}) {
    auto [size, span] = getOutputSize(b, loc, conv, sizes.image[height + d],
                                      sizes.weight[2 + d], d);
    checks.expectAtMost(indexConstant(b, loc, 0), span);
    checks.expectEqual(sizes.output[height + d], size);
  }
  checks.emit(op, "the sizes of image, weight and result do not fit together, or "
                  "the kernel is larger than the padded image");
}

struct Conv2DPattern : ConvolutionPattern<Conv2DOp> {
  using ConvolutionPattern::ConvolutionPattern;

  LogicalResult
  matchAndRewrite(Conv2DOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    Convolution conv(op);
    Type element = elementTypeOf(op.getInput());
    auto type = cast<RankedTensorType>(op.getType());
    ConvolutionSizes all = getAllSizes(b, loc, conv, adaptor);
    checkSizes(b, op, conv, all);
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < 4; ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(all.output[dim]);
    SmallVector<Value> operands = {adaptor.getInput(), adaptor.getWeight()};
    if (useOneDNN && isInLibrary(operands, type) &&
        !isSmallerThan(kSmallest, type, op.getWeight().getType())) {
      b.replaceOp(op, callLibrary(b, loc, "onednn.convolution", conv,
                                  operands, type, sizes));
      return success();
    }
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
    Value padded = padImage(b, loc, adaptor.getInput(), conv.dims, conv.padding,
                            zero);
    Value input = splitGroups(b, loc, padded, conv.dims.channels, conv.groups);
    Value weight = splitGroups(b, loc, adaptor.getWeight(), 0, conv.groups);
    Value result = multiplyInto(
        b, loc, conv, {input, weight},
        {conv.input(), conv.weight(), conv.output()}, {N, G, O, Y, X}, type,
        sizes, conv.dims.channels, element);
    b.replaceOp(op, result);
    return success();
  }

private:
  static ConvolutionSizes getAllSizes(OpBuilder &b, Location loc,
                                      const Convolution &conv,
                                      OpAdaptor adaptor) {
    ConvolutionSizes all{getSizes(b, loc, adaptor.getInput()),
                         getSizes(b, loc, adaptor.getWeight()), {}};
    all.output = all.image;
    all.output[conv.dims.channels] = all.weight[0];
    for (unsigned d : {0u, 1u}) {
      int64_t dim = conv.dims.height + d;
      all.output[dim] =
          getOutputSize(b, loc, conv, all.image[dim], all.weight[2 + d], d).first;
    }
    return all;
  }
};

struct WeightGradPattern : ConvolutionPattern<Conv2DWeightGradOp> {
  using ConvolutionPattern::ConvolutionPattern;

  LogicalResult
  matchAndRewrite(Conv2DWeightGradOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    Convolution conv(op);
    Type element = elementTypeOf(op.getInput());
    SmallVector<Value> operands = {adaptor.getInput(), adaptor.getCotangent()};
    auto type = cast<RankedTensorType>(op.getType());
    checkSizes(b, op, conv,
               {getSizes(b, loc, operands[0]),
                getSizes(b, loc, type, adaptor.getDynamicSizes()),
                getSizes(b, loc, operands[1])});
    if (useOneDNN && isInLibrary(operands, type) &&
        !isSmallerThan(kSmallestWeightGrad, op.getCotangent().getType(), type)) {
      b.replaceOp(op, callLibrary(b, loc, "onednn.convolution_backward_weights", conv,
                                  operands, type, adaptor.getDynamicSizes()));
      return success();
    }
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
    Value padded = padImage(b, loc, adaptor.getInput(), conv.dims, conv.padding,
                            zero);
    int64_t channels = conv.dims.channels;
    Value input = splitGroups(b, loc, padded, channels, conv.groups);
    Value cotangent =
        splitGroups(b, loc, adaptor.getCotangent(), channels, conv.groups);
    Value result = multiplyInto(
        b, loc, conv, {input, cotangent},
        {conv.input(), conv.output(), conv.weight()}, {G, O, C, I, J},
        type, adaptor.getDynamicSizes(), 0, element);
    b.replaceOp(op, result);
    return success();
  }
};

/// Adds into the padded input, since several positions reach one element.
struct InputGradPattern : ConvolutionPattern<Conv2DInputGradOp> {
  using ConvolutionPattern::ConvolutionPattern;

  LogicalResult
  matchAndRewrite(Conv2DInputGradOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    Convolution conv(op);
    Type element = elementTypeOf(op.getCotangent());
    auto type = cast<RankedTensorType>(op.getType());
    SmallVector<Value> operands = {adaptor.getCotangent(), adaptor.getWeight()};
    checkSizes(b, op, conv,
               {getSizes(b, loc, type, adaptor.getDynamicSizes()),
                getSizes(b, loc, operands[1]), getSizes(b, loc, operands[0])});
    if (useOneDNN && isInLibrary(operands, type) &&
        !isSmallerThan(kSmallest, op.getCotangent().getType(),
                       op.getWeight().getType())) {
      b.replaceOp(op, callLibrary(b, loc, "onednn.convolution_backward_data", conv,
                                  operands, type, adaptor.getDynamicSizes()));
      return success();
    }
    PaddedShape padded(b, loc, type, adaptor.getDynamicSizes(), conv.dims,
                       conv.padding);
    int64_t channels = conv.dims.channels;
    Value cotangent =
        splitGroups(b, loc, adaptor.getCotangent(), channels, conv.groups);
    Value weight = splitGroups(b, loc, adaptor.getWeight(), 0, conv.groups);
    Value sum = multiplyInto(
        b, loc, conv, {cotangent, weight},
        {conv.output(), conv.weight(), conv.input()}, {N, G, C}, padded.type,
        padded.dynamicSizes, channels, element);
    b.replaceOp(op, cropImage(b, loc, sum, type, adaptor.getDynamicSizes(),
                              conv.dims, conv.padding));
    return success();
  }
};

} // namespace

void mlir::mindir::populateConvolutionToLinalg(const TypeConverter &converter,
                                               RewritePatternSet &patterns,
                                               bool useOneDNN) {
  patterns.add<Conv2DPattern, WeightGradPattern, InputGradPattern>(
      converter, patterns.getContext(), useOneDNN);
}
