//===- MovementToLinalg.cpp - movement of elements ------------------------===//
//
// Views where the elements stay in order, parallel loops and block copies where
// they move.
//
//===----------------------------------------------------------------------===//

#include "LoweringUtils.h"

#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace mlir::mindir;

namespace {

template <typename Op> struct MovementPattern : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  RankedTensorType convertedType(Op op) const {
    return cast<RankedTensorType>(
        this->getTypeConverter()->convertType(op.getType()));
  }
};

//===----------------------------------------------------------------------===//
// Reshape
//===----------------------------------------------------------------------===//

/// Collapses or expands where the shapes allow it, else goes through one
/// dimension; sizes known only when run are given to `tensor.reshape`.
struct ReshapePattern : MovementPattern<ReshapeOp> {
  using MovementPattern::MovementPattern;

  LogicalResult
  matchAndRewrite(ReshapeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value input = adaptor.getInput();
    RankedTensorType type = convertedType(op);
    auto inputType = cast<RankedTensorType>(input.getType());
    bool isStatic = type.hasStaticShape() && inputType.hasStaticShape();
    rewriter.replaceOp(
        op, isStatic ? reshapeStatic(rewriter, op.getLoc(), input, type)
                     : reshapeDynamic(rewriter, op, adaptor, type));
    return success();
  }

private:
  static Value reshapeStatic(OpBuilder &b, Location loc, Value input,
                             RankedTensorType type) {
    auto inputType = cast<RankedTensorType>(input.getType());
    if (inputType == type)
      return input;
    auto reassociation = getReassociationIndicesForReshape(inputType, type);
    if (reassociation && inputType.getRank() > type.getRank())
      return tensor::CollapseShapeOp::create(b, loc, type, input, *reassociation);
    if (reassociation && inputType.getRank() < type.getRank())
      return tensor::ExpandShapeOp::create(b, loc, type, input, *reassociation);
    Value flat = flatten(b, loc, input);
    SmallVector<ReassociationIndices> all;
    if (type.getRank() > 0)
      all.push_back(llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
    if (type.getRank() == 1)
      return flat;
    if (type.getRank() == 0)
      return tensor::CollapseShapeOp::create(b, loc, type, flat, all);
    return tensor::ExpandShapeOp::create(b, loc, type, flat, all);
  }

  static Value flatten(OpBuilder &b, Location loc, Value input) {
    auto type = cast<RankedTensorType>(input.getType());
    auto flat =
        RankedTensorType::get({type.getNumElements()}, type.getElementType());
    if (type.getRank() == 1)
      return input;
    if (type.getRank() == 0)
      return tensor::ExpandShapeOp::create(b, loc, flat, input,
                                           ArrayRef<ReassociationIndices>{});
    SmallVector<ReassociationIndices> all = {
        llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()))};
    return tensor::CollapseShapeOp::create(b, loc, flat, input, all);
  }

  static void checkCounts(OpBuilder &b, ReshapeOp op, Value input,
                          ArrayRef<Value> sizes) {
    Location loc = op.getLoc();
    Value given = indexConstant(b, loc, 1), wanted = given;
    for (int64_t dim = 0; dim < cast<RankedTensorType>(input.getType()).getRank(); ++dim)
      given = b.createOrFold<arith::MulIOp>(loc, given, getSize(b, loc, input, dim));
    for (Value size : sizes)
      wanted = b.createOrFold<arith::MulIOp>(loc, wanted, size);
    SizeChecks checks(b, loc);
    checks.expectEqual(given, wanted);
    checks.emit(op, "the number of elements must stay");
  }

  static Value reshapeDynamic(OpBuilder &b, ReshapeOp op, OpAdaptor adaptor,
                              RankedTensorType type) {
    Location loc = op.getLoc();
    SmallVector<Value> sizes;
    unsigned next = 0;
    for (int64_t size : type.getShape())
      sizes.push_back(ShapedType::isDynamic(size)
                          ? adaptor.getDynamicSizes()[next++]
                          : indexConstant(b, loc, size));
    checkCounts(b, op, adaptor.getInput(), sizes);
    auto shapeType = RankedTensorType::get({type.getRank()}, b.getIndexType());
    Value shape = tensor::FromElementsOp::create(b, loc, shapeType, sizes);
    return tensor::ReshapeOp::create(b, loc, type, adaptor.getInput(), shape);
  }
};

//===----------------------------------------------------------------------===//
// Broadcast, transpose, reverse
//===----------------------------------------------------------------------===//

struct BroadcastToPattern : MovementPattern<BroadcastToOp> {
  using MovementPattern::MovementPattern;

  LogicalResult
  matchAndRewrite(BroadcastToOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = convertedType(op);
    auto inputType = cast<RankedTensorType>(adaptor.getInput().getType());
    int64_t rank = type.getRank(), lead = rank - inputType.getRank();
    SmallVector<AffineExpr> exprs;
    for (int64_t dim = 0; dim < inputType.getRank(); ++dim) {
      bool isRepeated = inputType.getDimSize(dim) == 1;
      exprs.push_back(isRepeated ? rewriter.getAffineConstantExpr(0)
                                 : rewriter.getAffineDimExpr(lead + dim));
    }
    AffineMap inputMap = AffineMap::get(rank, 0, exprs, rewriter.getContext());
    Value init =
        createEmpty(rewriter, op.getLoc(), type, adaptor.getDynamicSizes());
    SizeChecks checks(rewriter, op.getLoc());
    for (int64_t dim = 0; dim < inputType.getRank(); ++dim)
      if (inputType.getDimSize(dim) != 1)
        checks.expectEqual(adaptor.getInput(), dim, init, lead + dim);
    checks.emit(op, "a size of the input must equal the result's or be known as one");
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    Value result = createLoop(
        rewriter, op.getLoc(), adaptor.getInput(), init,
        {inputMap, rewriter.getMultiDimIdentityMap(rank)}, iterators,
        [](OpBuilder &, Location, ValueRange args) { return args[0]; });
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct TransposePattern : MovementPattern<TransposeOp> {
  using MovementPattern::MovementPattern;

  LogicalResult
  matchAndRewrite(TransposeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = convertedType(op);
    SmallVector<Value> sizes;
    for (auto [dim, source] : llvm::enumerate(op.getPermutation()))
      if (type.isDynamicDim(dim))
        sizes.push_back(
            getSize(rewriter, op.getLoc(), adaptor.getInput(), source));
    Value init = createEmpty(rewriter, op.getLoc(), type, sizes);
    SmallVector<unsigned> permutation(op.getPermutation());
    AffineMap output = rewriter.getMultiDimIdentityMap(type.getRank());
    AffineMap input =
        type.getRank() == 0
            ? output
            : inversePermutation(AffineMap::getPermutationMap(
                  permutation, rewriter.getContext()));
    SmallVector<utils::IteratorType> iterators(type.getRank(),
                                               utils::IteratorType::parallel);
    Value result = createLoop(
        rewriter, op.getLoc(), adaptor.getInput(), init, {input, output},
        iterators, [](OpBuilder &, Location, ValueRange args) { return args[0]; });
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct ReversePattern : MovementPattern<ReverseOp> {
  using MovementPattern::MovementPattern;

  LogicalResult
  matchAndRewrite(ReverseOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value input = adaptor.getInput();
    RankedTensorType type = convertedType(op);
    SmallVector<Value> last(type.getRank());
    for (int64_t axis : op.getAxes()) {
      Value size = getSize(rewriter, op.getLoc(), input, axis);
      Value one = indexConstant(rewriter, op.getLoc(), 1);
      last[axis] = arith::SubIOp::create(rewriter, op.getLoc(), size, one);
    }
    Value init = createEmptyLike(rewriter, op.getLoc(), type, input);
    Value result = createParallelLoop(
        rewriter, op.getLoc(), {}, init,
        [&](OpBuilder &b, Location loc, ValueRange) -> Value {
          SmallVector<Value> position;
          for (auto [dim, end] : llvm::enumerate(last)) {
            Value index = linalg::IndexOp::create(b, loc, dim);
            position.push_back(
                end ? Value(arith::SubIOp::create(b, loc, end, index)) : index);
          }
          return tensor::ExtractOp::create(b, loc, input, position);
        });
    rewriter.replaceOp(op, result);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

SmallVector<OpFoldResult> constants(OpBuilder &b, ArrayRef<int64_t> values) {
  return getAsIndexOpFoldResult(b.getContext(), values);
}

SmallVector<OpFoldResult> sizesOf(OpBuilder &b, Location loc, Value tensor) {
  return tensor::getMixedSizes(b, loc, tensor);
}

Value lesser(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  return b.createOrFold<arith::MinSIOp>(loc, lhs, rhs);
}

/// A start as the offset of upstream's slices, which must begin inside a dimension
/// even to take nothing.
OpFoldResult toOffset(OpBuilder &b, Location loc, Value start, Value size) {
  Value zero = indexConstant(b, loc, 0), one = indexConstant(b, loc, 1);
  Value last = b.createOrFold<arith::SubIOp>(loc, size, one);
  last = b.createOrFold<arith::MaxSIOp>(loc, last, zero);
  return getAsOpFoldResult(lesser(b, loc, start, last));
}

/// ceil((limit - start) / stride).
Value countSteps(OpBuilder &b, Location loc, Value limit, Value start,
                 int64_t stride) {
  Value span = b.createOrFold<arith::SubIOp>(loc, limit, start);
  span = b.createOrFold<arith::AddIOp>(loc, span,
                                       indexConstant(b, loc, stride - 1));
  return b.createOrFold<arith::DivSIOp>(loc, span,
                                        indexConstant(b, loc, stride));
}

/// A block of a tensor, none of which lies outside.
Value takeBlock(OpBuilder &b, Location loc, Value input,
                ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
                ArrayRef<OpFoldResult> strides) {
  bool isNothing = llvm::any_of(sizes, [](OpFoldResult size) {
    return isConstantIntValue(size, 0);
  });
  auto type = cast<RankedTensorType>(input.getType());
  if (isNothing || isEmpty(type))
    return tensor::EmptyOp::create(b, loc, sizes, type.getElementType());
  return tensor::ExtractSliceOp::create(b, loc, input, offsets, sizes, strides);
}

/// The block as `type`, which may be larger than it: the rest has no values.
Value growBlock(OpBuilder &b, Location loc, Value block,
                ArrayRef<OpFoldResult> sizes, RankedTensorType type,
                ValueRange dynamicSizes) {
  SmallVector<OpFoldResult> zeros(type.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(type.getRank(), b.getIndexAttr(1));
  Value init = createEmpty(b, loc, type, dynamicSizes);
  if (isEmpty(type))
    return init;
  return tensor::InsertSliceOp::create(b, loc, block, init, zeros, sizes, ones);
}

/// Bounds that only the running call knows are checked, and moved inside.
struct SlicePattern : MovementPattern<SliceOp> {
  using MovementPattern::MovementPattern;

  LogicalResult
  matchAndRewrite(SliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value input = adaptor.getInput();
    RankedTensorType type = convertedType(op);
    SizeChecks checks(rewriter, loc);
    SmallVector<OpFoldResult> offsets, counts;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      addRange(rewriter, op, input, dim, checks, offsets, counts);
    checks.emit(op, "expected 0 <= start <= limit <= size in every dimension");
    SmallVector<OpFoldResult> strides = constants(rewriter, op.getStrides());
    Value block = takeBlock(rewriter, loc, input, offsets, counts, strides);
    if (!mayExceed(op)) {
      rewriter.replaceOp(op, castTensor(rewriter, loc, block, type));
      return success();
    }
    SmallVector<Value> sizes;
    for (auto [count, size] : llvm::zip(counts, type.getShape()))
      if (ShapedType::isDynamic(size))
        sizes.push_back(getValueOrCreateConstantIndexOp(rewriter, loc, count));
    rewriter.replaceOp(op,
                       growBlock(rewriter, loc, block, counts, type, sizes));
    return success();
  }

private:
  static void addRange(OpBuilder &b, SliceOp op, Value input, int64_t dim,
                       SizeChecks &checks,
                       SmallVectorImpl<OpFoldResult> &offsets,
                       SmallVectorImpl<OpFoldResult> &counts) {
    Location loc = op.getLoc();
    Value size = getSize(b, loc, input, dim);
    Value start = indexConstant(b, loc, op.getStarts()[dim]);
    int64_t bound = op.getLimits()[dim];
    bool isToEnd = bound == SliceOp::kEnd;
    Value limit = isToEnd ? size : indexConstant(b, loc, bound);
    checks.expectAtMost(isToEnd ? start : limit, size);
    limit = lesser(b, loc, limit, size);
    start = lesser(b, loc, start, limit);
    offsets.push_back(toOffset(b, loc, start, size));
    counts.push_back(getAsOpFoldResult(
        countSteps(b, loc, limit, start, op.getStrides()[dim])));
  }

  /// Whether the result has a size that an input too small cannot fill.
  static bool mayExceed(SliceOp op) {
    auto input = cast<RankedTensorType>(op.getInput().getType());
    for (int64_t dim = 0; dim < input.getRank(); ++dim)
      if (input.isDynamicDim(dim) && op.getLimits()[dim] != SliceOp::kEnd)
        return true;
    return false;
  }
};

struct PadPattern : MovementPattern<PadOp> {
  using MovementPattern::MovementPattern;

  LogicalResult
  matchAndRewrite(PadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value input = adaptor.getInput();
    RankedTensorType type = convertedType(op);
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(paddedSize(rewriter, op, input, dim));
    Value scalar = tensor::ExtractOp::create(rewriter, loc, adaptor.getValue());
    Value filled = createFilled(rewriter, loc, type, sizes, scalar);
    if (isEmpty(cast<RankedTensorType>(input.getType()))) {
      rewriter.replaceOp(op, filled);
      return success();
    }
    SmallVector<int64_t> strides;
    for (int64_t interior : op.getInterior())
      strides.push_back(interior + 1);
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
        op, input, filled, constants(rewriter, op.getLow()),
        sizesOf(rewriter, loc, input), constants(rewriter, strides));
    return success();
  }

private:
  /// low + size + max(size - 1, 0) * interior + high.
  static Value paddedSize(OpBuilder &b, PadOp op, Value input, int64_t dim) {
    Location loc = op.getLoc();
    Value size = getSize(b, loc, input, dim), one = indexConstant(b, loc, 1);
    Value gaps = arith::SubIOp::create(b, loc, size, one);
    gaps = arith::MaxSIOp::create(b, loc, gaps, indexConstant(b, loc, 0));
    Value inner = arith::MulIOp::create(
        b, loc, gaps, indexConstant(b, loc, op.getInterior()[dim]));
    Value outer = indexConstant(b, loc, op.getLow()[dim] + op.getHigh()[dim]);
    return arith::AddIOp::create(b, loc, size,
                                 arith::AddIOp::create(b, loc, inner, outer));
  }
};

struct ConcatPattern : MovementPattern<ConcatOp> {
  using MovementPattern::MovementPattern;

  LogicalResult
  matchAndRewrite(ConcatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int64_t axis = op.getAxis();
    RankedTensorType type = convertedType(op);
    checkSizes(rewriter, op, adaptor.getInputs());
    SmallVector<Value> offsets = {indexConstant(rewriter, loc, 0)};
    for (Value input : adaptor.getInputs())
      offsets.push_back(rewriter.createOrFold<arith::AddIOp>(
          loc, offsets.back(), getSize(rewriter, loc, input, axis)));
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(dim == axis ? offsets.back()
                                    : getSize(rewriter, loc,
                                              adaptor.getInputs()[0], dim));
    Value result = createEmpty(rewriter, loc, type, sizes);
    SmallVector<int64_t> zeros(type.getRank(), 0), ones(type.getRank(), 1);
    for (auto [input, offset] : llvm::zip(adaptor.getInputs(), offsets)) {
      if (isEmpty(cast<RankedTensorType>(input.getType())))
        continue;
      SmallVector<OpFoldResult> position = constants(rewriter, zeros);
      position[axis] = getAsOpFoldResult(offset);
      result = tensor::InsertSliceOp::create(rewriter, loc, input, result,
                                             position,
                                             sizesOf(rewriter, loc, input),
                                             constants(rewriter, ones));
    }
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  static void checkSizes(OpBuilder &b, ConcatOp op, ValueRange inputs) {
    SizeChecks checks(b, op.getLoc());
    int64_t rank = cast<RankedTensorType>(op.getType()).getRank();
    for (Value input : inputs.drop_front())
      for (int64_t dim = 0; dim < rank; ++dim)
        if (dim != static_cast<int64_t>(op.getAxis()))
          checks.expectEqual(inputs[0], dim, input, dim);
    checks.emit(op, "the inputs must have equal sizes off the axis");
  }
};

//===----------------------------------------------------------------------===//
// Blocks at run-time positions
//===----------------------------------------------------------------------===//

/// The starts of a block of `sizes` in `input`, moved inside it; a block that was
/// not inside is an error of the running call.
SmallVector<OpFoldResult> checkedStarts(OpBuilder &b, Location loc,
                                        StringRef name, Value input,
                                        ValueRange starts, ValueRange sizes) {
  SmallVector<OpFoldResult> clamped;
  Value zero = indexConstant(b, loc, 0), isBad;
  for (auto [dim, start] : llvm::enumerate(starts)) {
    Value given = arith::IndexCastOp::create(
        b, loc, b.getIndexType(), tensor::ExtractOp::create(b, loc, start));
    Value size = getSize(b, loc, input, dim);
    Value last = b.createOrFold<arith::SubIOp>(loc, size, sizes[dim]);
    Value upper = arith::MinSIOp::create(b, loc, given, last);
    Value inside = arith::MaxSIOp::create(b, loc, upper, zero);
    Value differs = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                          given, inside);
    Value isTooLarge = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::slt, last, zero);
    Value bad = arith::OrIOp::create(b, loc, differs, isTooLarge);
    isBad = isBad ? Value(arith::OrIOp::create(b, loc, isBad, bad)) : bad;
    clamped.push_back(toOffset(b, loc, inside, size));
  }
  if (isBad)
    emitErrorIf(b, loc, isBad, /*MINDRT_INDEX_ERROR=*/3,
                ("For '" + name + "', the block [start, start + size) must lie "
                                  "inside the input in every dimension")
                    .str());
  return clamped;
}

/// The lesser of two sizes: what of a block can lie inside.
SmallVector<OpFoldResult> lesserSizes(OpBuilder &b, Location loc, Value input,
                                      ArrayRef<Value> sizes) {
  SmallVector<OpFoldResult> result;
  for (auto [dim, size] : llvm::enumerate(sizes))
    result.push_back(getAsOpFoldResult(b.createOrFold<arith::MinSIOp>(
        loc, size, getSize(b, loc, input, dim))));
  return result;
}

struct DynamicSlicePattern : MovementPattern<DynamicSliceOp> {
  using MovementPattern::MovementPattern;

  LogicalResult
  matchAndRewrite(DynamicSliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value input = adaptor.getInput();
    RankedTensorType type = convertedType(op);
    SmallVector<Value> sizes = getValueOrCreateConstantIndexOp(
        rewriter, loc,
        mlir::mindir::getMixedSizes(rewriter, type, adaptor.getDynamicSizes()));
    SmallVector<OpFoldResult> starts = checkedStarts(
        rewriter, loc, "DynamicSlice", input, adaptor.getStarts(), sizes);
    SmallVector<OpFoldResult> ones =
        constants(rewriter, SmallVector<int64_t>(type.getRank(), 1));
    if (type.hasStaticShape()) {
      SmallVector<OpFoldResult> whole = constants(rewriter, type.getShape());
      Value block = takeBlock(rewriter, loc, input, starts, whole, ones);
      rewriter.replaceOp(op, castTensor(rewriter, loc, block, type));
      return success();
    }
    // A block too large for the input is an error; none of it is read outside.
    SmallVector<OpFoldResult> inside = lesserSizes(rewriter, loc, input, sizes);
    Value block = takeBlock(rewriter, loc, input, starts, inside, ones);
    rewriter.replaceOp(op, growBlock(rewriter, loc, block, inside, type,
                                     adaptor.getDynamicSizes()));
    return success();
  }
};

struct DynamicUpdateSlicePattern : MovementPattern<DynamicUpdateSliceOp> {
  using MovementPattern::MovementPattern;

  LogicalResult
  matchAndRewrite(DynamicUpdateSliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value input = adaptor.getInput(), update = adaptor.getUpdate();
    int64_t rank = cast<RankedTensorType>(input.getType()).getRank();
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < rank; ++dim)
      sizes.push_back(getSize(rewriter, loc, update, dim));
    SmallVector<OpFoldResult> starts = checkedStarts(
        rewriter, loc, "DynamicUpdateSlice", input, adaptor.getStarts(), sizes);
    if (isEmpty(cast<RankedTensorType>(update.getType())) ||
        isEmpty(cast<RankedTensorType>(input.getType()))) {
      rewriter.replaceOp(op, input);
      return success();
    }
    SmallVector<OpFoldResult> inside = lesserSizes(rewriter, loc, input, sizes);
    SmallVector<OpFoldResult> ones =
        constants(rewriter, SmallVector<int64_t>(rank, 1));
    Value block = tensor::ExtractSliceOp::create(
        rewriter, loc, update,
        constants(rewriter, SmallVector<int64_t>(rank, 0)), inside, ones);
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(op, block, input, starts,
                                                       inside, ones);
    return success();
  }
};

} // namespace

void mlir::mindir::populateMovementToLinalg(const TypeConverter &converter,
                                            RewritePatternSet &patterns) {
  patterns.add<ReshapePattern, BroadcastToPattern, TransposePattern,
               ReversePattern, SlicePattern, PadPattern, ConcatPattern,
               DynamicSlicePattern, DynamicUpdateSlicePattern>(
      converter, patterns.getContext());
}
