//===- VectorLoops.cpp - the loops of a vectorized op ---------------------===//
//
// Emits outer loops, strips, blocks of rows and the innermost loop, with their
// accumulators.
//
//===----------------------------------------------------------------------===//

#include "VectorEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::mindir;

/// Rows of a float sum that are added in a row: errors grow with a block's length and
/// the number of blocks, not with their product.
static constexpr int64_t kRowBlock = 256;
/// The same along the innermost loop: 256 terms in each element of four vectors.
static constexpr int64_t kInnerBlock = 1 << 14;
/// Vectors that accumulate side by side, so that additions do not wait for each other.
static constexpr unsigned kNumAccumulators = 4;

//===----------------------------------------------------------------------===//
// Outer loops
//===----------------------------------------------------------------------===//

void VectorEmitter::emitLoop(Value lo, Value hi, Value step,
                             function_ref<void(Value)> body) {
  auto loop = scf::ForOp::create(b, loc, lo, hi, step);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void VectorEmitter::emitOuterLoops(ArrayRef<unsigned> dims) {
  if (dims.empty())
    return cut ? emitParts() : emitBlock();
  unsigned dim = dims.front();
  emitLoop(index(0), nest.sizes[dim], index(1), [&](Value iteration) {
    position[dim] = iteration;
    emitOuterLoops(dims.drop_front());
  });
}

void VectorEmitter::emitBlock() {
  stripLo = innerLo;
  stripHi = innerHi;
  if (!accumulates())
    return emitRows(rows, {}, {});
  isBlocked = false;
  if (!rows.empty() && hasFloatSum()) {
    std::optional<int64_t> extent =
        cut == rows.front() ? getConstantIntValue(partLength)
                            : nest.getStaticSize(rows.front());
    isBlocked = !extent || *extent > 2 * kRowBlock;
  }
  createAccumulators();
  startAccumulators(/*alongInner=*/false);
  emitStrips();
  finishAccumulators(/*alongInner=*/false);
}

void VectorEmitter::emitStrips() {
  if (!hasColumns())
    return emitRowBlocks();
  auto emitStrip = [&] {
    startAccumulators(/*alongInner=*/true);
    emitRowBlocks();
    finishAccumulators(/*alongInner=*/true);
  };
  std::optional<int64_t> width = nest.getStaticSize(inner);
  if (width && *width <= stripSize && cut != inner)
    return emitStrip();
  Value step = index(stripSize), end = innerHi;
  emitLoop(innerLo, end, step, [&](Value start) {
    stripLo = start;
    Value next = arith::AddIOp::create(b, loc, start, step);
    stripHi = arith::MinSIOp::create(b, loc, next, end);
    emitStrip();
  });
}

void VectorEmitter::emitRowBlocks() {
  Value lo, hi;
  if (!rows.empty()) {
    bool isCut = cut == rows.front();
    lo = isCut ? partLo : index(0);
    hi = isCut ? partHi : nest.sizes[rows.front()];
  }
  if (!isBlocked)
    return emitRows(rows, lo, hi);
  // With more rows inside, one iteration is a block.
  Value step = index(rows.size() > 1 ? 1 : kRowBlock);
  emitLoop(lo, hi, step, [&](Value start) {
    Value end = arith::AddIOp::create(b, loc, start, step);
    end = arith::MinSIOp::create(b, loc, end, hi);
    for (const Output &output : outputs)
      if (output.combiner)
        this->start(output, output.block);
    emitRows(rows, start, end);
    for (const Output &output : outputs)
      if (output.combiner)
        flushBlock(output);
  });
}

void VectorEmitter::emitRows(ArrayRef<unsigned> dims, Value lo, Value hi) {
  if (dims.empty())
    return emitInner();
  unsigned dim = dims.front();
  emitLoop(lo, hi, index(1), [&](Value iteration) {
    position[dim] = iteration;
    ArrayRef<unsigned> rest = dims.drop_front();
    Value end = rest.empty() ? Value() : nest.sizes[rest.front()];
    emitRows(rest, index(0), end);
  });
}

//===----------------------------------------------------------------------===//
// The innermost loop
//===----------------------------------------------------------------------===//

void VectorEmitter::emitInner() {
  hoistInvariants();
  std::optional<int64_t> width = nest.getStaticSize(inner);
  bool isLong = !width || *width > 2 * kInnerBlock;
  if (hasColumns() || !hasFloatSum() || !isLong)
    return emitInnerLoops(stripLo, stripHi);
  Value step = index(kInnerBlock), end = stripHi;
  emitLoop(stripLo, end, step, [&](Value start) {
    Value next = arith::AddIOp::create(b, loc, start, step);
    emitInnerLoops(start, arith::MinSIOp::create(b, loc, next, end));
  });
}

Value VectorEmitter::getWholeEnd(Value lo, Value hi, int64_t group) {
  std::optional<int64_t> first = getConstantIntValue(lo);
  std::optional<int64_t> last = getConstantIntValue(hi);
  if (first && last)
    return index(*first + (*last - *first) / group * group);
  Value extent = arith::SubIOp::create(b, loc, hi, lo);
  Value count = arith::DivUIOp::create(b, loc, extent, index(group));
  Value whole = arith::MulIOp::create(b, loc, count, index(group));
  return arith::AddIOp::create(b, loc, lo, whole);
}

/// Whether the range is known to be empty.
static bool isEmptyRange(Value lo, Value hi) {
  std::optional<int64_t> first = getConstantIntValue(lo);
  std::optional<int64_t> last = getConstantIntValue(hi);
  return lo == hi || (first && last && *first >= *last);
}

/// Groups of vectors, then vectors, then elements. Sums start anew, and are combined
/// with their accumulators at the end.
void VectorEmitter::emitInnerLoops(Value lo, Value hi) {
  SmallVector<const Output *> sums;
  for (const Output &output : outputs)
    if (output.combiner && !output.variesAlongInner)
      sums.push_back(&output);
  unsigned numVectors = sums.empty() ? 1 : kNumAccumulators;
  Value groupEnd = getWholeEnd(lo, hi, numVectors * lanes);
  Value vectorEnd = getWholeEnd(lo, hi, lanes);
  SmallVector<Value> vectors, elements;
  for (unsigned i = 0; i < numVectors; ++i)
    for (const Output *output : sums)
      vectors.push_back(getNeutral(*output, /*onVectors=*/true));
  if (!isEmptyRange(lo, groupEnd))
    vectors = emitInnerLoop(lo, groupEnd, numVectors, true, vectors);
  if (numVectors > 1 && !isEmptyRange(groupEnd, vectorEnd)) {
    ArrayRef<Value> all = vectors;
    SmallVector<Value> first(all.take_front(sums.size()));
    first = emitInnerLoop(groupEnd, vectorEnd, 1, true, first);
    llvm::copy(first, vectors.begin());
  }
  bool hasTail = !isEmptyRange(vectorEnd, hi);
  if (hasTail) {
    for (const Output *output : sums)
      elements.push_back(getNeutral(*output, /*onVectors=*/false));
    elements = emitInnerLoop(vectorEnd, hi, 1, false, elements);
  }
  for (auto [i, output] : llvm::enumerate(sums)) {
    Value sum = loadVector(output->block[0], index(0));
    for (unsigned vector = 0; vector < numVectors; ++vector)
      sum = combine(*output, sum, vectors[vector * sums.size() + i]);
    storeTo(sum, output->block[0], index(0));
    if (!hasTail)
      continue;
    Value tail = loadFrom(output->block[1], index(0), /*onVectors=*/false);
    storeTo(combine(*output, tail, elements[i]), output->block[1], index(0));
  }
}

SmallVector<Value> VectorEmitter::emitInnerLoop(Value lo, Value hi,
                                                unsigned numVectors,
                                                bool onVectors,
                                                ValueRange sums) {
  int64_t width = onVectors ? lanes : 1;
  auto loop =
      scf::ForOp::create(b, loc, lo, hi, index(numVectors * width), sums);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> results;
  unsigned numSums = sums.size() / numVectors;
  for (unsigned vector = 0; vector < numVectors; ++vector) {
    position[inner] = arith::AddIOp::create(b, loc, loop.getInductionVar(),
                                            index(vector * width));
    llvm::append_range(
        results, emitBody(onVectors, loop.getRegionIterArgs().slice(
                                         vector * numSums, numSums)));
  }
  if (!results.empty())
    scf::YieldOp::create(b, loc, results);
  return llvm::to_vector_of<Value>(loop.getResults());
}

void VectorEmitter::emitSpan(Value lo, Value hi,
                             function_ref<void(bool)> body) {
  Value end = getWholeEnd(lo, hi, lanes);
  auto run = [&](Value from, Value to, bool onVectors) {
    if (isEmptyRange(from, to))
      return;
    emitLoop(from, to, index(onVectors ? lanes : 1), [&](Value place) {
      position[inner] = place;
      body(onVectors);
    });
  };
  run(lo, end, true);
  run(end, hi, false);
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

void VectorEmitter::createAccumulators() {
  for (Output &output : outputs) {
    if (!output.combiner)
      continue;
    Type element = getElementType(output);
    auto create = [&] {
      SmallVector<Value, 2> buffers;
      if (output.variesAlongInner)
        return SmallVector<Value, 2>{createStack(stripSize, element)};
      return SmallVector<Value, 2>{createStack(lanes, element),
                                   createStack(1, element)};
    };
    output.block = create();
    output.total = isBlocked ? create() : SmallVector<Value, 2>();
  }
}

void VectorEmitter::forEachVector(Value buffer,
                                  function_ref<void(Value)> body) {
  int64_t size = cast<MemRefType>(buffer.getType()).getDimSize(0);
  if (size == lanes)
    return body(index(0));
  emitLoop(index(0), index(size), index(lanes), body);
}

/// Sets accumulators to the neutral element.
void VectorEmitter::start(const Output &output, ArrayRef<Value> buffers) {
  forEachVector(buffers[0], [&](Value offset) {
    storeTo(getNeutral(output, /*onVectors=*/true), buffers[0], offset);
  });
  if (buffers.size() > 1)
    storeTo(getNeutral(output, /*onVectors=*/false), buffers[1], index(0));
}

void VectorEmitter::startAccumulators(bool alongInner) {
  for (const Output &output : outputs)
    if (output.combiner && output.variesAlongInner == alongInner)
      start(output, isBlocked ? output.total : output.block);
}

void VectorEmitter::flushBlock(const Output &output) {
  forEachVector(output.block[0], [&](Value offset) {
    Value sum = combine(output, loadVector(output.total[0], offset),
                        loadVector(output.block[0], offset));
    storeTo(sum, output.total[0], offset);
  });
  if (output.block.size() == 1)
    return;
  Value sum = combine(output, loadFrom(output.total[1], index(0), false),
                      loadFrom(output.block[1], index(0), false));
  storeTo(sum, output.total[1], index(0));
}

void VectorEmitter::finishAccumulators(bool alongInner) {
  for (const Output &output : outputs)
    if (output.combiner && output.variesAlongInner == alongInner)
      alongInner ? storeStrip(output) : storeSum(output);
}

void VectorEmitter::storeStrip(const Output &output) {
  Value buffer = isBlocked ? output.total[0] : output.block[0];
  if (output.parts)
    return forEachVector(buffer, [&](Value offset) {
      Value column = arith::AddIOp::create(b, loc, stripLo, offset);
      storeTo(loadVector(buffer, offset), output.parts, {part, column});
    });
  emitSpan(stripLo, stripHi, [&](bool onVectors) {
    Value sum = loadFrom(buffer, getStripPosition(), onVectors);
    store(output.operand,
          combine(output, load(output.operand, onVectors), sum));
  });
}

void VectorEmitter::storeSum(const Output &output) {
  ArrayRef<Value> buffers = isBlocked ? output.total : output.block;
  auto kind = *linalg::getCombinerOpKind(output.combiner);
  auto flags = arith::FastMathFlags::contract | arith::FastMathFlags::reassoc;
  Value vector = loadVector(buffers[0], index(0));
  Value sum = vector::ReductionOp::create(b, loc, kind, vector, flags);
  sum = combine(output, sum, loadFrom(buffers[1], index(0), false));
  if (output.parts)
    return storeTo(sum, output.parts, {part, index(0)});
  store(output.operand, combine(output, load(output.operand, false), sum));
}

Value VectorEmitter::combine(const Output &output, Value lhs, Value rhs) {
  Operation *combiner = output.combiner;
  OperationState state(loc, combiner->getName(), ValueRange{lhs, rhs},
                       lhs.getType());
  state.propertiesAttr = combiner->getPropertiesAsAttribute();
  return b.create(state)->getResult(0);
}

Value VectorEmitter::getNeutral(const Output &output, bool onVectors) {
  TypedAttr neutral = *arith::getNeutralElement(output.combiner);
  if (onVectors) {
    auto type = VectorType::get({lanes}, neutral.getType());
    neutral = DenseElementsAttr::get(type, ArrayRef<Attribute>(neutral));
  }
  return arith::ConstantOp::create(b, loc, neutral);
}
