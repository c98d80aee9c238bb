//===- RandomToLinalg.cpp - random numbers --------------------------------===//
//
// Each element computes its counter's Philox4x32-10 block, so that loops over it
// can be split and fused like any other.
//
//===----------------------------------------------------------------------===//

#include "LoweringUtils.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <array>

using namespace mlir;
using namespace mlir::mindir;

namespace {

using Words = std::array<Value, 4>;

/// Integer arithmetic of the generator.
struct PhiloxBuilder {
  Value word(uint32_t value) {
    return arith::ConstantOp::create(
        b, loc, b.getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  Value low(Value wide) {
    return arith::TruncIOp::create(b, loc, b.getI32Type(), wide);
  }
  Value high(Value wide) {
    Value shift = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(32));
    return low(arith::ShRUIOp::create(b, loc, wide, shift));
  }
  Value wideProduct(Value factor, uint32_t multiplier) {
    Value wide = arith::ExtUIOp::create(b, loc, b.getI64Type(), factor);
    Value constant = arith::ConstantOp::create(
        b, loc, b.getI64IntegerAttr(static_cast<int64_t>(multiplier)));
    return arith::MulIOp::create(b, loc, wide, constant);
  }
  Value exclusiveOr(Value x, Value y, Value z) {
    return arith::XOrIOp::create(b, loc, arith::XOrIOp::create(b, loc, x, y), z);
  }

  /// The four words of counter `counter` (i64) of `seed`'s stream.
  Words block(Value seed, Value counter) {
    Value key0 = low(seed), key1 = high(seed), zero = word(0);
    Words x = {low(counter), high(counter), zero, zero};
    for (int round = 0; round < 10; ++round) {
      Value product0 = wideProduct(x[0], 0xD2511F53);
      Value product1 = wideProduct(x[2], 0xCD9E8D57);
      x = {exclusiveOr(high(product1), x[1], key0), low(product1),
           exclusiveOr(high(product0), x[3], key1), low(product0)};
      key0 = arith::AddIOp::create(b, loc, key0, word(0x9E3779B9));
      key1 = arith::AddIOp::create(b, loc, key1, word(0xBB67AE85));
    }
    return x;
  }

  /// words[lane], lane in [0, 4).
  Value pick(const Words &words, Value lane) {
    Value result = words[0];
    for (int64_t i = 1; i < 4; ++i)
      result = arith::SelectOp::create(b, loc, isLane(lane, i), words[i], result);
    return result;
  }
  Value isLane(Value lane, int64_t i) {
    Value number = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(i));
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lane, number);
  }

  OpBuilder &b;
  Location loc;
};

/// The upper 24 bits of a word times 2^-24.
Value unitOf(PhiloxBuilder &p, ScalarBuilder &s, Value word) {
  Value upper = arith::ShRUIOp::create(p.b, p.loc, word, p.word(8));
  Value number = arith::UIToFPOp::create(p.b, p.loc, s.compute, upper);
  return s.mul(number, s.constant(0x1p-24));
}

/// Whether a bit of an i32 is set.
Value isSet(PhiloxBuilder &p, Value number, uint32_t bit) {
  Value masked = arith::AndIOp::create(p.b, p.loc, number, p.word(bit));
  return arith::CmpIOp::create(p.b, p.loc, arith::CmpIPredicate::ne, masked,
                               p.word(0));
}

Value makeElement(RandomBitsOp, PhiloxBuilder &p, Type, const Words &words,
                  Value lane) {
  return p.pick(words, lane);
}

/// Rounded down for half floats: to nearest could give 1.
Value makeElement(RandomUniformOp, PhiloxBuilder &p, Type element,
                  const Words &words, Value lane) {
  ScalarBuilder s(p.b, p.loc, element);
  Value unit = unitOf(p, s, p.pick(words, lane));
  if (s.compute == s.element)
    return unit;
  uint32_t mask = element.isF16() ? ~((1u << 13) - 1) : ~((1u << 16) - 1);
  Value bits =
      arith::BitcastOp::create(p.b, p.loc, p.b.getI32Type(), unit);
  bits = arith::AndIOp::create(p.b, p.loc, bits, p.word(mask));
  return s.store(arith::BitcastOp::create(p.b, p.loc, s.compute, bits));
}

/// cos(2 pi w / 2^24 - k pi / 2) of the upper 24 bits w of a word, for k = `quarters`.
/// Whole quarters of the circle are taken off as integers, so that nothing is rounded
/// but the angle that is left, of at most pi / 4.
Value emitWave(PhiloxBuilder &p, ScalarBuilder &s, Value word, Value quarters) {
  OpBuilder &b = p.b;
  Location loc = p.loc;
  constexpr uint32_t quarter = 1u << 22;
  Value upper = arith::ShRUIOp::create(b, loc, word, p.word(8));
  Value nearest = arith::ShRUIOp::create(
      b, loc, arith::AddIOp::create(b, loc, upper, p.word(quarter / 2)),
      p.word(22));
  Value whole =
      arith::MulIOp::create(b, loc, nearest, p.word(quarter));
  Value rest = arith::SIToFPOp::create(
      b, loc, s.compute, arith::SubIOp::create(b, loc, upper, whole));
  Value angle = s.mul(s.mul(rest, s.constant(0x1p-22)), s.constant(M_PI_2));
  Value turns = arith::SubIOp::create(b, loc, nearest, quarters);
  Value isOdd = isSet(p, turns, 1);
  Value isNegative =
      isSet(p, arith::AddIOp::create(b, loc, turns, p.word(1)), 2);
  Value wave = arith::SelectOp::create(b, loc, isOdd,
                                       math::SinOp::create(b, loc, angle),
                                       math::CosOp::create(b, loc, angle));
  return arith::SelectOp::create(b, loc, isNegative,
                                 arith::NegFOp::create(b, loc, wave), wave);
}

/// Box and Muller's transform of the words of the element's pair; the radius'
/// number lies in (0, 1], so that its logarithm is finite.
Value makeElement(RandomNormalOp, PhiloxBuilder &p, Type element,
                  const Words &words, Value lane) {
  OpBuilder &b = p.b;
  Location loc = p.loc;
  ScalarBuilder s(b, loc, element);
  Value two = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(2));
  Value isSecond =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, lane, two);
  Value word0 = arith::SelectOp::create(b, loc, isSecond, words[2], words[0]);
  Value word1 = arith::SelectOp::create(b, loc, isSecond, words[3], words[1]);
  Value positive = s.add(unitOf(p, s, word0), s.constant(0x1p-24));
  Value radius = math::SqrtOp::create(
      b, loc, s.mul(s.constant(-2), math::LogOp::create(b, loc, positive)));
  // Odd elements are the sine: a quarter behind.
  Value isSine = arith::AndIOp::create(b, loc, p.low(lane), p.word(1));
  return s.store(s.mul(radius, emitWave(p, s, word1, isSine)));
}

//===----------------------------------------------------------------------===//
// Pattern
//===----------------------------------------------------------------------===//

template <typename Op> struct RandomPattern : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    Type element = elementTypeOf(op.getResult());
    auto type = cast<RankedTensorType>(
        this->getTypeConverter()->convertType(op.getResult().getType()));
    SmallVector<Value> sizes = getValueOrCreateConstantIndexOp(
        b, loc, getMixedSizes(b, type, adaptor.getDynamicSizes()));
    Value seed = tensor::ExtractOp::create(b, loc, adaptor.getState(),
                                           indexConstant(b, loc, 0));
    Value offset = tensor::ExtractOp::create(b, loc, adaptor.getState(),
                                             indexConstant(b, loc, 1));
    Value init = createEmpty(b, loc, type, adaptor.getDynamicSizes());
    Value result = createParallelLoop(
        b, loc, {}, init, [&](OpBuilder &b, Location loc, ValueRange) {
          Value position = linearize(b, loc, sizes);
          Value two = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(2));
          Value three = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(3));
          Value lane = arith::AndIOp::create(b, loc, position, three);
          Value counter = arith::AddIOp::create(
              b, loc, offset, arith::ShRUIOp::create(b, loc, position, two));
          PhiloxBuilder philox{b, loc};
          return makeElement(op, philox, element, philox.block(seed, counter),
                             lane);
        });
    b.replaceOp(op, {result, advance(b, loc, seed, offset, sizes)});
    return success();
  }

private:
  /// The row-major position of the current element, as i64.
  static Value linearize(OpBuilder &b, Location loc, ArrayRef<Value> sizes) {
    Value position = indexConstant(b, loc, 0);
    for (auto [dim, size] : llvm::enumerate(sizes)) {
      Value index = linalg::IndexOp::create(b, loc, dim);
      Value scaled = arith::MulIOp::create(b, loc, position, size);
      position = arith::AddIOp::create(b, loc, scaled, index);
    }
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), position);
  }

  /// The state after ceil(elements / 4) counters.
  static Value advance(OpBuilder &b, Location loc, Value seed, Value offset,
                       ArrayRef<Value> sizes) {
    Value count = indexConstant(b, loc, 1);
    for (Value size : sizes)
      count = arith::MulIOp::create(b, loc, count, size);
    count = arith::AddIOp::create(b, loc, count, indexConstant(b, loc, 3));
    count = arith::DivUIOp::create(b, loc, count, indexConstant(b, loc, 4));
    Value used = arith::IndexCastOp::create(b, loc, b.getI64Type(), count);
    Value next = arith::AddIOp::create(b, loc, offset, used);
    return tensor::FromElementsOp::create(
        b, loc, RankedTensorType::get({2}, b.getI64Type()),
        ValueRange{seed, next});
  }
};

} // namespace

void mlir::mindir::populateRandomToLinalg(const TypeConverter &converter,
                                          RewritePatternSet &patterns) {
  patterns.add<RandomPattern<RandomBitsOp>, RandomPattern<RandomUniformOp>,
               RandomPattern<RandomNormalOp>>(converter, patterns.getContext());
}
