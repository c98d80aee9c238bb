//===- LinearToLinalg.cpp - matrix products and convolution ---------------===//
//
// Matrix products and convolution with its two gradients, as reductions that
// accumulate in the compute type.
//
//===----------------------------------------------------------------------===//

#include "LoweringUtils.h"

using namespace mlir;
using namespace mlir::mindir;

namespace {

/// Multiplies and adds: (lhs, rhs, accumulator) -> accumulator.
Value multiplyAdd(OpBuilder &b, Location loc, Type element, ValueRange args) {
  ScalarBuilder s(b, loc, element);
  return s.add(args[2], s.mul(s.load(args[0]), s.load(args[1])));
}

struct MatMulPattern : OpConversionPattern<MatMulOp> {
  MatMulPattern(const TypeConverter &converter, MLIRContext *context,
                bool useOneDNN)
      : OpConversionPattern(converter, context), useOneDNN(useOneDNN) {}

  LogicalResult
  matchAndRewrite(MatMulOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type element = elementTypeOf(op.getLhs());
    auto type =
        cast<RankedTensorType>(getTypeConverter()->convertType(op.getType()));
    checkSizes(rewriter, op, adaptor);
    if (useOneDNN && prefersLibrary(op)) {
      rewriter.replaceOp(op, callLibrary(rewriter, op, adaptor, type));
      return success();
    }
    Value zero = ScalarBuilder(rewriter, loc, element).constant(0);
    Value init =
        createFilled(rewriter, loc, type.clone(getComputeType(element)),
                     getUnknownSizes(rewriter, op, adaptor, type), zero);
    Value product = createLoop(
        rewriter, loc, {adaptor.getLhs(), adaptor.getRhs()}, init,
        op.getStructuredIndexingMaps(), op.getIteratorTypes(),
        [&](OpBuilder &b, Location loc, ValueRange args) {
          return multiplyAdd(b, loc, element, args);
        });
    rewriter.replaceOp(op, roundToStorage(rewriter, loc, product, element, type));
    return success();
  }

private:
  static void checkSizes(OpBuilder &b, MatMulOp op, OpAdaptor adaptor) {
    Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
    int64_t rank = cast<RankedTensorType>(lhs.getType()).getRank();
    SizeChecks checks(b, op.getLoc());
    for (int64_t dim = 0; dim < rank - 2; ++dim)
      checks.expectEqual(lhs, dim, rhs, dim);
    checks.expectEqual(lhs, rank - (op.getTransposeLhs() ? 2 : 1), rhs,
                       rank - (op.getTransposeRhs() ? 1 : 2));
    checks.emit(op, "the leading and the contracted sizes must be equal");
  }

  /// f32; not products that are smaller than a call, nor empty ones.
  static bool prefersLibrary(MatMulOp op) {
    constexpr int64_t smallest = 8 * 1024;
    auto type = cast<RankedTensorType>(op.getType());
    auto lhs = cast<RankedTensorType>(op.getLhs().getType());
    if (!type.getElementType().isF32())
      return false;
    if (!type.hasStaticShape() || !lhs.hasStaticShape())
      return true;
    int64_t inner = lhs.getDimSize(lhs.getRank() - (op.getTransposeLhs() ? 2 : 1));
    return type.getNumElements() * inner >= smallest;
  }

  static Value callLibrary(OpBuilder &b, MatMulOp op, OpAdaptor adaptor,
                           RankedTensorType type) {
    Value init = createEmpty(b, op.getLoc(), type,
                             getUnknownSizes(b, op, adaptor, type));
    SmallVector<int64_t> swapped =
        llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    std::swap(swapped.end()[-1], swapped.end()[-2]);
    SmallVector<SmallVector<int64_t>> permutations(3);
    if (op.getTransposeLhs())
      permutations[0] = swapped;
    if (op.getTransposeRhs())
      permutations[1] = swapped;
    return createLibraryCall(b, op.getLoc(), "onednn.matmul",
                             {adaptor.getLhs(), adaptor.getRhs()}, init,
                             /*config=*/{0}, permutations);
  }

  bool useOneDNN;

  static SmallVector<Value> getUnknownSizes(OpBuilder &b, MatMulOp op,
                                            OpAdaptor adaptor,
                                            RankedTensorType type) {
    SmallVector<Value> sizes;
    int64_t rank = type.getRank(), row = rank - 2, column = rank - 1;
    for (int64_t dim = 0; dim < rank; ++dim) {
      if (!type.isDynamicDim(dim))
        continue;
      Value from = dim == column ? adaptor.getRhs() : adaptor.getLhs();
      int64_t source = dim;
      if (dim == row && op.getTransposeLhs())
        source = column;
      if (dim == column && op.getTransposeRhs())
        source = row;
      sizes.push_back(getSize(b, op.getLoc(), from, source));
    }
    return sizes;
  }
};

} // namespace

void mlir::mindir::populateLinearToLinalg(const TypeConverter &converter,
                                          RewritePatternSet &patterns,
                                          bool useOneDNN) {
  patterns.add<MatMulPattern>(converter, patterns.getContext(), useOneDNN);
}
