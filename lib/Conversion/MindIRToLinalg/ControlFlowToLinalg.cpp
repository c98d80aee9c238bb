//===- ControlFlowToLinalg.cpp - tokens, effects and tapes ----------------===//
//
// Tokens carry nothing once ops stand in order; prints and tapes are calls of the
// runtime on buffers that are only read.
//
//===----------------------------------------------------------------------===//

#include "LoweringUtils.h"

#include "mindir/Conversion/RuntimeCalls.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::mindir;

namespace {

/// The buffer of a tensor, for reading by the call that follows.
Value createReadBuffer(OpBuilder &b, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> strides(type.getRank(), ShapedType::kDynamic);
  auto layout = StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic,
                                       strides);
  auto memref = MemRefType::get(type.getShape(), type.getElementType(), layout);
  return bufferization::ToBufferOp::create(b, loc, memref, tensor,
                                           /*read_only=*/true);
}

Value createReadDescriptor(OpBuilder &b, Location loc, Value tensor,
                           Type element) {
  return createRuntimeMemRef(b, loc, createReadBuffer(b, loc, tensor),
                             getRuntimeDType(element));
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

struct TokenPattern : OpConversionPattern<TokenOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(TokenOp op, OpAdaptor,
                  ConversionPatternRewriter &b) const override {
    b.replaceOpWithNewOp<arith::ConstantOp>(op, b.getBoolAttr(false));
    return success();
  }
};

struct PrintPattern : OpConversionPattern<PrintOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PrintOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    SmallVector<Value> descriptors;
    for (auto [value, original] : llvm::zip(adaptor.getValues(), op.getValues()))
      descriptors.push_back(
          createReadDescriptor(b, loc, value, elementTypeOf(original)));
    Value format = createRuntimeString(b, loc, op.getFormat());
    Value count = arith::ConstantOp::create(
        b, loc, b.getI64IntegerAttr(descriptors.size()));
    callRuntime(b, loc, "mindrt_print", b.getI32Type(),
                {format, count, createPointerArray(b, loc, descriptors)});
    b.replaceOp(op, adaptor.getToken());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Tape
//===----------------------------------------------------------------------===//

Type pointerType(OpBuilder &b) {
  return LLVM::LLVMPointerType::get(b.getContext());
}

struct TapeEmptyPattern : OpConversionPattern<TapeEmptyOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(TapeEmptyOp op, OpAdaptor,
                  ConversionPatternRewriter &b) const override {
    b.replaceOp(op, callRuntime(b, op.getLoc(), "mindrt_tape_empty",
                                pointerType(b), {}));
    return success();
  }
};

struct TapePushPattern : OpConversionPattern<TapePushOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(TapePushOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    Value value = createReadDescriptor(b, loc, adaptor.getValue(),
                                       elementTypeOf(op.getValue()));
    Value slot = createStackSlot(b, loc, pointerType(b), 1);
    // What stays when the push fails.
    LLVM::StoreOp::create(b, loc, adaptor.getTape(), slot);
    callRuntime(b, loc, "mindrt_tape_push", b.getI32Type(),
                {adaptor.getTape(), value, slot});
    b.replaceOpWithNewOp<LLVM::LoadOp>(op, pointerType(b), slot);
    return success();
  }
};

/// The popped buffer is copied into one that the function owns like any other.
struct TapePopPattern : OpConversionPattern<TapePopOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(TapePopOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    Type element = elementTypeOf(op.getValue());
    auto type = cast<RankedTensorType>(
        getTypeConverter()->convertType(op.getValue().getType()));
    int64_t rank = type.getRank();
    Value descriptor = createStackSlot(b, loc, b.getI64Type(), 3 + 2 * rank);
    Value rest = createStackSlot(b, loc, pointerType(b), 1);
    clear(b, loc, descriptor, 3 + rank);
    LLVM::StoreOp::create(b, loc, adaptor.getTape(), rest);
    callRuntime(b, loc, "mindrt_tape_pop", b.getI32Type(),
                {adaptor.getTape(), number(b, loc, getRuntimeDType(element)),
                 number(b, loc, rank), descriptor, rest});
    Value value = copyOut(b, loc, type, descriptor);
    Value newTape = LLVM::LoadOp::create(b, loc, pointerType(b), rest);
    b.replaceOp(op, {newTape, value});
    return success();
  }

private:
  static Value number(OpBuilder &b, Location loc, int64_t value) {
    return arith::ConstantOp::create(
        b, loc, b.getI32IntegerAttr(static_cast<int32_t>(value)));
  }

  static Value fieldAddress(OpBuilder &b, Location loc, Value descriptor,
                            int64_t field) {
    return LLVM::GEPOp::create(
        b, loc, descriptor.getType(), b.getI64Type(), descriptor,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(field)});
  }

  /// A failed pop leaves sizes of zero and no data.
  static void clear(OpBuilder &b, Location loc, Value descriptor, int64_t count) {
    Value zero = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
    for (int64_t field = 0; field < count; ++field)
      LLVM::StoreOp::create(b, loc, zero, fieldAddress(b, loc, descriptor, field));
  }

  static Value copyOut(OpBuilder &b, Location loc, RankedTensorType type,
                       Value descriptor) {
    SmallVector<Value> dynamicSizes;
    unsigned width = (type.getElementTypeBitWidth() + 7) / 8;
    Value bytes = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(width));
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      Value size = LLVM::LoadOp::create(
          b, loc, b.getI64Type(), fieldAddress(b, loc, descriptor, 3 + dim));
      bytes = arith::MulIOp::create(b, loc, bytes, size);
      if (type.isDynamicDim(dim))
        dynamicSizes.push_back(
            arith::IndexCastOp::create(b, loc, b.getIndexType(), size));
    }
    auto memref = MemRefType::get(type.getShape(), type.getElementType());
    Value buffer = memref::AllocOp::create(b, loc, memref, dynamicSizes);
    Value source = LLVM::LoadOp::create(b, loc, pointerType(b),
                                        fieldAddress(b, loc, descriptor, 1));
    Value owned = LLVM::LoadOp::create(b, loc, pointerType(b),
                                       fieldAddress(b, loc, descriptor, 0));
    Value address = arith::IndexCastOp::create(
        b, loc, b.getI64Type(),
        memref::ExtractAlignedPointerAsIndexOp::create(b, loc, buffer));
    Value target = LLVM::IntToPtrOp::create(b, loc, pointerType(b), address);
    // A failed pop copies nothing: of rank 0 there is no size that says so.
    Value null = LLVM::ZeroOp::create(b, loc, pointerType(b));
    Value failed = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, source,
                                        null);
    Value none = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
    bytes = arith::SelectOp::create(b, loc, failed, none, bytes);
    LLVM::MemcpyOp::create(b, loc, target, source, bytes, /*isVolatile=*/false);
    callRuntime(b, loc, "mindrt_free", {}, owned);
    return bufferization::ToTensorOp::create(b, loc, type, buffer,
                                             /*restrict=*/true,
                                             /*writable=*/true);
  }
};

} // namespace

void mlir::mindir::populateControlFlowToLinalg(const TypeConverter &converter,
                                               RewritePatternSet &patterns) {
  patterns.add<TokenPattern, PrintPattern, TapeEmptyPattern, TapePushPattern,
               TapePopPattern>(converter, patterns.getContext());
}
