//===- ElementwiseToLinalg.cpp - elementwise ops as parallel loops --------===//
//
// Each elementwise op is one parallel loop nest; constants become fills.
//
//===----------------------------------------------------------------------===//

#include "LoweringUtils.h"

#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mlir::mindir;

namespace {

/// Any op with the `Elementwise` trait of mindir.
class ElementwisePattern : public ConversionPattern {
public:
  ElementwisePattern(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa<MindIRDialect>(op->getDialect()) ||
        !op->hasTrait<OpTrait::Elementwise>())
      return failure();
    auto type = cast<RankedTensorType>(
        getTypeConverter()->convertType(op->getResult(0).getType()));
    SizeChecks checks(rewriter, op->getLoc());
    for (Value operand : operands.drop_front())
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        checks.expectEqual(operands[0], dim, operand, dim);
    checks.emit(op, "the inputs must have equal sizes");
    Value init = createEmptyLike(rewriter, op->getLoc(), type, operands[0]);
    Value result = createParallelLoop(
        rewriter, op->getLoc(), operands, init,
        [&](OpBuilder &b, Location loc, ValueRange stored) {
          SmallVector<Value> loaded;
          for (auto [value, operand] : llvm::zip(stored, op->getOperands()))
            loaded.push_back(
                ScalarBuilder(b, loc, elementTypeOf(operand)).load(value));
          Value computed = emitElementwiseScalar(b, op, loaded);
          return ScalarBuilder(b, loc, elementTypeOf(op->getResult(0)))
              .store(computed);
        });
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// Splats of more than one element are filled when run, not stored.
struct ConstantPattern : OpConversionPattern<ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type =
        cast<RankedTensorType>(getTypeConverter()->convertType(op.getType()));
    auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
    if (splat && type.getNumElements() > 1) {
      Value scalar = arith::ConstantOp::create(
          rewriter, op.getLoc(), signlessScalar(rewriter, splat, type));
      rewriter.replaceOp(
          op, createFilled(rewriter, op.getLoc(), type, {}, scalar));
      return success();
    }
    FailureOr<TypedAttr> value = signlessElements(op.getValue(), type);
    if (failed(value))
      return rewriter.notifyMatchFailure(op, "unsupported elements attribute");
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, *value);
    return success();
  }

private:
  static TypedAttr signlessScalar(OpBuilder &builder, SplatElementsAttr splat,
                                  RankedTensorType type) {
    Type element = type.getElementType();
    if (isa<FloatType>(element))
      return cast<TypedAttr>(splat.getSplatValue<Attribute>());
    return builder.getIntegerAttr(element, splat.getSplatValue<APInt>());
  }

  static FailureOr<TypedAttr> signlessElements(ElementsAttr value,
                                               RankedTensorType type) {
    if (value.getType() == type)
      return cast<TypedAttr>(value);
    if (auto dense = dyn_cast<DenseElementsAttr>(value))
      return TypedAttr(dense.bitcast(type.getElementType()));
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
      return TypedAttr(
          DenseResourceElementsAttr::get(type, resource.getRawHandle()));
    return failure();
  }
};

} // namespace

void mlir::mindir::populateElementwiseToLinalg(const TypeConverter &converter,
                                               RewritePatternSet &patterns) {
  patterns.add<ElementwisePattern, ConstantPattern>(converter,
                                                    patterns.getContext());
}
