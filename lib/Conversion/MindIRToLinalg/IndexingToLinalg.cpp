//===- IndexingToLinalg.cpp - indexing by tensors -------------------------===//
//
// Counting, marking, taking and adding at indices. Indices are checked once beside
// the op, not at each access, so that the access stays a plain loop.
//
//===----------------------------------------------------------------------===//

#include "LoweringUtils.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::mindir;

namespace {

struct IotaPattern : OpConversionPattern<IotaOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IotaOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &b) const override {
    Type element = elementTypeOf(op.getResult());
    auto type =
        cast<RankedTensorType>(getTypeConverter()->convertType(op.getType()));
    Value init = createEmpty(b, op.getLoc(), type, adaptor.getDynamicSizes());
    Value result = createParallelLoop(
        b, op.getLoc(), {}, init, [&](OpBuilder &b, Location loc, ValueRange) {
          ScalarBuilder s(b, loc, element);
          Value index = linalg::IndexOp::create(b, loc, op.getAxis());
          if (!s.isFloat())
            return arith::IndexCastOp::create(b, loc, s.compute, index)
                .getResult();
          Value count =
              arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
          return s.store(s.fromInteger(count, /*isUnsigned=*/false));
        });
    b.replaceOp(op, result);
    return success();
  }
};

struct OneHotPattern : OpConversionPattern<OneHotOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(OneHotOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    Type element = elementTypeOf(op.getResult());
    auto type =
        cast<RankedTensorType>(getTypeConverter()->convertType(op.getType()));
    int64_t last = type.getRank() - 1;
    AffineMap all = b.getMultiDimIdentityMap(type.getRank());
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < last; ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(getSize(b, loc, adaptor.getIndices(), dim));
    if (type.isDynamicDim(last))
      sizes.push_back(indexConstant(b, loc, op.getDepth()));
    SmallVector<utils::IteratorType> iterators(type.getRank(),
                                               utils::IteratorType::parallel);
    Value result = createLoop(
        b, loc, adaptor.getIndices(), createEmpty(b, loc, type, sizes),
        {all.dropResult(last), all}, iterators,
        [&](OpBuilder &b, Location loc, ValueRange args) {
          ScalarBuilder s(b, loc, element);
          Value column = arith::IndexCastOp::create(
              b, loc, args[0].getType(), linalg::IndexOp::create(b, loc, last));
          Value isMarked = arith::CmpIOp::create(
              b, loc, arith::CmpIPredicate::eq, args[0], column);
          return s.store(arith::SelectOp::create(b, loc, isMarked, s.constant(1),
                                                 s.constant(0)));
        });
    b.replaceOp(op, result);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Checked indices
//===----------------------------------------------------------------------===//

/// Ends the run with an IndexError when an index lies outside [-size, size).
void checkIndices(OpBuilder &b, Location loc, StringRef name, Value indices,
                  Value size) {
  auto type = RankedTensorType::get({}, b.getI1Type());
  Value no = arith::ConstantOp::create(b, loc, b.getBoolAttr(false));
  int64_t rank = cast<RankedTensorType>(indices.getType()).getRank();
  Value any = createLoop(
      b, loc, indices, createFilled(b, loc, type, {}, no),
      {b.getMultiDimIdentityMap(rank), AffineMap::get(rank, 0, b.getContext())},
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::reduction),
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value index =
            arith::IndexCastOp::create(b, loc, b.getIndexType(), args[0]);
        Value least = arith::SubIOp::create(b, loc, indexConstant(b, loc, 0), size);
        Value isBelow = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                              index, least);
        Value isAbove = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge,
                                              index, size);
        Value isBad = arith::OrIOp::create(b, loc, isBelow, isAbove);
        return arith::OrIOp::create(b, loc, args[1], isBad);
      });
  emitErrorIf(
      b, loc, tensor::ExtractOp::create(b, loc, any), /*MINDRT_INDEX_ERROR=*/3,
      ("For '" + name + "', the indices must lie in [-size, size) of the axis")
          .str());
}

/// The position an index names: negative ones count from the end; moved inside.
Value normalizeIndex(OpBuilder &b, Location loc, Value given, Value size) {
  Value index = arith::IndexCastOp::create(b, loc, b.getIndexType(), given);
  Value zero = indexConstant(b, loc, 0), one = indexConstant(b, loc, 1);
  Value isNegative =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, index, zero);
  Value fromEnd = arith::AddIOp::create(b, loc, index, size);
  index = arith::SelectOp::create(b, loc, isNegative, fromEnd, index);
  index = arith::MinSIOp::create(b, loc, index,
                                 arith::SubIOp::create(b, loc, size, one));
  return arith::MaxSIOp::create(b, loc, index, zero);
}

/// Whether nothing can be taken: an axis of size zero.
bool isEmptyAxis(Value tensor, int64_t axis) {
  return cast<RankedTensorType>(tensor.getType()).getDimSize(axis) == 0;
}

struct GatherPattern : OpConversionPattern<GatherOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(GatherOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    Value input = adaptor.getInput(), indices = adaptor.getIndices();
    int64_t axis = op.getAxis();
    auto type =
        cast<RankedTensorType>(getTypeConverter()->convertType(op.getType()));
    int64_t indexRank = cast<RankedTensorType>(indices.getType()).getRank();
    Value size = getSize(b, loc, input, axis);
    checkIndices(b, loc, "Gather", indices, size);
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(sourceSize(b, loc, input, indices, axis, indexRank, dim));
    if (isEmptyAxis(input, axis)) {
      Value zero = arith::ConstantOp::create(
          b, loc, b.getZeroAttr(type.getElementType()));
      b.replaceOp(op, createFilled(b, loc, type, sizes, zero));
      return success();
    }
    AffineMap all = b.getMultiDimIdentityMap(type.getRank());
    SmallVector<utils::IteratorType> iterators(type.getRank(),
                                               utils::IteratorType::parallel);
    Value result = createLoop(
        b, loc, indices, createEmpty(b, loc, type, sizes),
        {all.getSliceMap(axis, indexRank), all}, iterators,
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          SmallVector<Value> at;
          for (int64_t dim = 0; dim < axis; ++dim)
            at.push_back(linalg::IndexOp::create(b, loc, dim));
          at.push_back(normalizeIndex(b, loc, args[0], size));
          for (int64_t dim = axis + indexRank; dim < type.getRank(); ++dim)
            at.push_back(linalg::IndexOp::create(b, loc, dim));
          return tensor::ExtractOp::create(b, loc, input, at);
        });
    b.replaceOp(op, result);
    return success();
  }

private:
  static Value sourceSize(OpBuilder &b, Location loc, Value input, Value indices,
                          int64_t axis, int64_t indexRank, int64_t dim) {
    if (dim < axis)
      return getSize(b, loc, input, dim);
    if (dim < axis + indexRank)
      return getSize(b, loc, indices, dim - axis);
    return getSize(b, loc, input, dim - indexRank + 1);
  }
};

/// In row-major order of the updates, so that the sum does not depend on threads.
struct ScatterAddPattern : OpConversionPattern<ScatterAddOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ScatterAddOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    Value indices = adaptor.getIndices(), updates = adaptor.getUpdates();
    int64_t axis = op.getAxis();
    int64_t indexRank = cast<RankedTensorType>(indices.getType()).getRank();
    int64_t rank = cast<RankedTensorType>(updates.getType()).getRank();
    Type element = elementTypeOf(op.getInput());
    Value size = getSize(b, loc, adaptor.getInput(), axis);
    checkIndices(b, loc, "ScatterAdd", indices, size);
    if (isEmptyAxis(adaptor.getInput(), axis)) {
      b.replaceOp(op, adaptor.getInput());
      return success();
    }
    Value zero = indexConstant(b, loc, 0), one = indexConstant(b, loc, 1);
    SmallVector<Value> sizes = getCheckedSizes(b, op, adaptor);
    scf::LoopNest nest = scf::buildLoopNest(
        b, loc, SmallVector<Value>(rank, zero), sizes,
        SmallVector<Value>(rank, one), adaptor.getInput(),
        [&](OpBuilder &b, Location loc, ValueRange at, ValueRange carried) {
          Value given = tensor::ExtractOp::create(b, loc, indices,
                                                  at.slice(axis, indexRank));
          SmallVector<Value> to(at.take_front(axis));
          to.push_back(normalizeIndex(b, loc, given, size));
          llvm::append_range(to, at.drop_front(axis + indexRank));
          ScalarBuilder s(b, loc, element);
          Value update = s.load(tensor::ExtractOp::create(b, loc, updates, at));
          Value old = s.load(tensor::ExtractOp::create(b, loc, carried[0], to));
          Value sum = s.store(s.add(old, update));
          return scf::ValueVector{
              tensor::InsertOp::create(b, loc, sum, carried[0], to)};
        });
    b.replaceOp(op, nest.results[0]);
    return success();
  }

private:
  /// The sizes of the updates, or what the input and the indices have of them.
  static SmallVector<Value> getCheckedSizes(OpBuilder &b, ScatterAddOp op,
                                            OpAdaptor adaptor) {
    Location loc = op.getLoc();
    Value input = adaptor.getInput(), indices = adaptor.getIndices();
    int64_t axis = op.getAxis();
    int64_t indexRank = cast<RankedTensorType>(indices.getType()).getRank();
    int64_t rank = cast<RankedTensorType>(op.getUpdates().getType()).getRank();
    SizeChecks checks(b, loc);
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < rank; ++dim) {
      bool isIndex = dim >= axis && dim < axis + indexRank;
      Value from = isIndex ? indices : input;
      int64_t fromDim = dim < axis ? dim : isIndex ? dim - axis : dim - indexRank + 1;
      Value size = getSize(b, loc, adaptor.getUpdates(), dim);
      checks.expectEqual(adaptor.getUpdates(), dim, from, fromDim);
      sizes.push_back(b.createOrFold<arith::MinSIOp>(
          loc, size, getSize(b, loc, from, fromDim)));
    }
    checks.emit(op, "the updates must have the shape that gathering would give");
    return sizes;
  }
};

} // namespace

void mlir::mindir::populateIndexingToLinalg(const TypeConverter &converter,
                                            RewritePatternSet &patterns) {
  patterns.add<IotaPattern, OneHotPattern, GatherPattern, ScatterAddPattern>(
      converter, patterns.getContext());
}
