//===- LoopEmitter.cpp - a linalg op on buffers as loops ------------------===//
//
// Chooses loop order, accumulators and chunks for one op, and emits it.
//
//===----------------------------------------------------------------------===//

#include "LoopEmitter.h"

#include "ChunkFunctions.h"
#include "FastMath.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::mindir;

/// Arithmetic ops that are worth a chunk of their own on a thread.
static constexpr int64_t kChunkWork = 1 << 15;
/// Elements of the innermost loop whose accumulators stay in the first-level cache.
static constexpr int64_t kStrip = 64;
/// Rows of a float sum over strips that are added in a row.
static constexpr int64_t kRowBlock = 256;
/// Least part of the innermost loop for a thread: two cache lines of f32.
static constexpr int64_t kMinCut = 32;
/// Elements of a transposed row that are written before the next row: a cache line of
/// f32, so that lines of the input stay in the cache until all of them is read.
static constexpr int64_t kTransposedStrip = 16;
/// Terms of a float sum that are added in a row.
static constexpr int64_t kSumBlock = 2048;

static Value constantIndex(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

LoopEmitter::LoopEmitter(OpBuilder &builder, LoopNest loops)
    : b(builder), loc(loops.getLoc()), nest(std::move(loops)), op(nest.op) {}

void LoopEmitter::emit() {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  chooseOrder();
  position.resize(nest.iterators.size());
  SmallVector<unsigned> all = outer;
  llvm::append_range(all, reductions);
  if (innermost && !isReduction(*innermost))
    all.push_back(*innermost);
  std::optional<int64_t> work = nest.getStaticProduct(all);
  bool hasParallel = !outer.empty() || (innermost && !isReduction(*innermost));
  bool isSmall = work && *work * nest.getBodyCost() < 2 * kChunkWork;
  if (!hasParallel || isSmall)
    emitWhole();
  else if (std::optional<unsigned> dim = findTransposedLoop())
    emitTransposed(*dim);
  else
    emitChunked();
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

bool LoopEmitter::outputsAreFixedInReductions() {
  unsigned firstOutput = op.getNumDpsInputs();
  for (unsigned i = firstOutput; i < nest.maps.size(); ++i)
    for (unsigned dim = 0; dim < nest.iterators.size(); ++dim)
      if (isReduction(dim) && nest.maps[i].isFunctionOfDim(dim))
        return false;
  return true;
}

void LoopEmitter::chooseOrder() {
  int64_t best = -1;
  for (unsigned dim = 0; dim < nest.iterators.size(); ++dim) {
    int64_t score = 0;
    // Operands of more dimensions are walked through more often.
    for (unsigned index = 0; index < nest.operands.size(); ++index)
      if (nest.isContiguousAlong(index, dim))
        score += nest.maps[index].getNumResults();
    // Of equals the last: it is the one most often contiguous.
    if (score >= best) {
      best = score;
      innermost = dim;
    }
  }
  for (unsigned dim = 0; dim < nest.iterators.size(); ++dim) {
    if (isReduction(dim) && dim != *innermost)
      reductions.push_back(dim);
    if (!isReduction(dim) && dim != *innermost)
      outer.push_back(dim);
  }
  if (innermost && isReduction(*innermost))
    reductions.push_back(*innermost);
  accumulatesInRegisters = !reductions.empty() && isReduction(*innermost) &&
                           outputsAreFixedInReductions();
}

//===----------------------------------------------------------------------===//
// Outer loops
//===----------------------------------------------------------------------===//

void LoopEmitter::emitLoops(ArrayRef<unsigned> dims,
                            function_ref<void()> body) {
  if (dims.empty())
    return body();
  unsigned dim = dims.front();
  Value zero = constantIndex(b, loc, 0), one = constantIndex(b, loc, 1);
  bool isCut = innermostHi && dim == *innermost;
  auto loop = scf::ForOp::create(b, loc, isCut ? innermostLo : zero,
                                 isCut ? innermostHi : nest.sizes[dim], one);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  position[dim] = loop.getInductionVar();
  emitLoops(dims.drop_front(), body);
}

void LoopEmitter::emitWhole() {
  stackAnchor = constantIndex(b, loc, 0).getDefiningOp();
  emitLoops(outer, [&] { emitInner(); });
}

/// The outer loops as one range, or the innermost loop when it is the only
/// parallel one, in chunks.
void LoopEmitter::emitChunked() {
  SmallVector<unsigned> inside = reductions;
  if (!outer.empty() && !isReduction(*innermost))
    inside.push_back(*innermost);
  SmallVector<unsigned> cut = outer.empty() ? SmallVector<unsigned>{*innermost}
                                            : outer;
  Value n = nest.getProduct(b, cut);
  Value cost = constantIndex(b, loc, nest.getBodyCost());
  if (!inside.empty())
    cost = arith::MulIOp::create(b, loc, cost, nest.getProduct(b, inside));
  Value one = constantIndex(b, loc, 1);
  cost = arith::MaxSIOp::create(b, loc, cost, one);
  Value grain = arith::DivUIOp::create(
      b, loc, constantIndex(b, loc, kChunkWork), cost);
  grain = arith::MaxSIOp::create(
      b, loc, grain, outer.empty() ? constantIndex(b, loc, kMinCut) : one);

  Chunk chunk(b, loc, n);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(chunk.loop.getBody()->getTerminator());
    stackAnchor = chunk.hi.getDefiningOp();
    if (outer.empty()) {
      innermostLo = chunk.lo;
      innermostHi = chunk.hi;
      emitInner();
    } else {
      auto loop = scf::ForOp::create(b, loc, chunk.lo, chunk.hi, one);
      b.setInsertionPointToStart(loop.getBody());
      Value rest = loop.getInductionVar();
      unfold(rest, outer);
      emitInner();
    }
  }
  outlineChunk(b, chunk, n, grain);
}

void LoopEmitter::unfold(Value iteration, ArrayRef<unsigned> dims) {
  if (dims.empty())
    return;
  for (unsigned dim : llvm::reverse(dims.drop_front())) {
    position[dim] = arith::RemUIOp::create(b, loc, iteration, nest.sizes[dim]);
    iteration = arith::DivUIOp::create(b, loc, iteration, nest.sizes[dim]);
  }
  position[dims.front()] = iteration;
}

std::optional<unsigned> LoopEmitter::findTransposedLoop() {
  if (!reductions.empty() || !innermost)
    return std::nullopt;
  for (unsigned i = 0; i < op.getNumDpsInputs(); ++i)
    for (unsigned dim : outer)
      if (nest.isContiguousAlong(i, dim) && nest.maps[i].isFunctionOfDim(*innermost))
        return dim;
  return std::nullopt;
}

/// Strips of the innermost loop outside of the transposed one, so that both sides are
/// walked through in whole cache lines.
void LoopEmitter::emitTransposed(unsigned dim) {
  SmallVector<unsigned> others(outer);
  llvm::erase(others, dim);
  Value strip = constantIndex(b, loc, kTransposedStrip);
  Value size = nest.sizes[*innermost], one = constantIndex(b, loc, 1);
  Value strips = arith::CeilDivUIOp::create(b, loc, size, strip);
  Value n = strips;
  if (!others.empty())
    n = arith::MulIOp::create(b, loc, n, nest.getProduct(b, others));
  int64_t rowCost = nest.getBodyCost() * kTransposedStrip;
  Value cost = arith::MulIOp::create(b, loc, constantIndex(b, loc, rowCost),
                                     nest.sizes[dim]);
  cost = arith::MaxSIOp::create(b, loc, cost, one);
  Value grain = arith::DivUIOp::create(
      b, loc, constantIndex(b, loc, kChunkWork), cost);
  grain = arith::MaxSIOp::create(b, loc, grain, one);
  Chunk chunk(b, loc, n);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(chunk.loop.getBody()->getTerminator());
    auto loop = scf::ForOp::create(b, loc, chunk.lo, chunk.hi, one);
    b.setInsertionPointToStart(loop.getBody());
    Value iteration = loop.getInductionVar();
    Value number = arith::RemUIOp::create(b, loc, iteration, strips);
    unfold(arith::DivUIOp::create(b, loc, iteration, strips), others);
    innermostLo = arith::MulIOp::create(b, loc, number, strip);
    innermostHi = arith::AddIOp::create(b, loc, innermostLo, strip);
    innermostHi = arith::MinSIOp::create(b, loc, innermostHi, size);
    emitLoops({dim, *innermost}, [&] { emitBodyInMemory(); });
  }
  outlineChunk(b, chunk, n, grain);
}

//===----------------------------------------------------------------------===//
// Inner loops
//===----------------------------------------------------------------------===//

void LoopEmitter::emitInner() {
  if (accumulatesInRegisters)
    return emitRegisterReduction();
  if (!reductions.empty() && innermost && !isReduction(*innermost) &&
      outputsAreFixedInReductions())
    return emitStripReduction();
  SmallVector<unsigned> dims = reductions;
  if (innermost && !isReduction(*innermost))
    dims.push_back(*innermost);
  emitLoops(dims, [&] { emitBodyInMemory(); });
}

void LoopEmitter::emitRegisterReduction() {
  SmallVector<Value> accumulators;
  unsigned firstOutput = op.getNumDpsInputs();
  for (unsigned i = firstOutput; i < nest.operands.size(); ++i)
    accumulators.push_back(loadOperand(i));
  accumulators = emitReductionLoops(reductions, accumulators);
  for (auto [output, value] : llvm::enumerate(accumulators))
    storeOutput(output, value);
}

SmallVector<Value> LoopEmitter::emitReductionLoops(ArrayRef<unsigned> dims,
                                                   ValueRange accumulators) {
  if (dims.empty())
    return emitBody(accumulators);
  unsigned dim = dims.front();
  std::optional<int64_t> size = getConstantIntValue(nest.sizes[dim]);
  bool isLong = !size || *size > 2 * kSumBlock;
  if (dims.size() == 1 && isLong && isFloatSum())
    return {emitBlockedSum(dim, accumulators[0])};
  Value zero = constantIndex(b, loc, 0), one = constantIndex(b, loc, 1);
  auto loop = scf::ForOp::create(b, loc, zero, nest.sizes[dim], one, accumulators);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  position[dim] = loop.getInductionVar();
  SmallVector<Value> next =
      emitReductionLoops(dims.drop_front(), loop.getRegionIterArgs());
  scf::YieldOp::create(b, loc, next);
  return llvm::to_vector_of<Value>(loop.getResults());
}

/// The sum of sums of blocks: the error grows with a block's length and the number
/// of blocks, not with their product.
Value LoopEmitter::emitBlockedSum(unsigned dim, Value init) {
  Value zero = constantIndex(b, loc, 0), one = constantIndex(b, loc, 1);
  Value block = constantIndex(b, loc, kSumBlock);
  auto blocks = scf::ForOp::create(b, loc, zero, nest.sizes[dim], block, init);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(blocks.getBody());
  Value start = blocks.getInductionVar();
  Value end = arith::AddIOp::create(b, loc, start, block);
  end = arith::MinSIOp::create(b, loc, end, nest.sizes[dim]);
  Value nothing =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(init.getType()));
  auto loop = scf::ForOp::create(b, loc, start, end, one, nothing);
  {
    OpBuilder::InsertionGuard inner(b);
    b.setInsertionPointToStart(loop.getBody());
    position[dim] = loop.getInductionVar();
    scf::YieldOp::create(b, loc, emitBody(loop.getRegionIterArgs()));
  }
  Value sum = arith::AddFOp::create(b, loc, blocks.getRegionIterArgs()[0],
                                    loop.getResult(0));
  scf::YieldOp::create(b, loc, sum);
  return blocks.getResult(0);
}

//===----------------------------------------------------------------------===//
// Strips
//===----------------------------------------------------------------------===//

Value LoopEmitter::createStripBuffer(Type element) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfter(stackAnchor);
  return memref::AllocaOp::create(b, loc, MemRefType::get({kStrip}, element));
}

/// Runs `body` on each place of the strip, the position set to it.
void LoopEmitter::forEachInStrip(Value count, function_ref<void(Value)> body) {
  Value zero = constantIndex(b, loc, 0), one = constantIndex(b, loc, 1);
  auto loop = scf::ForOp::create(b, loc, zero, count, one);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value place = loop.getInductionVar();
  position[*innermost] = arith::AddIOp::create(b, loc, stripStart, place);
  body(place);
}

/// The accumulators of a strip lie on the stack: near, and known to overlap no
/// operand, which a vectorized loop over the outputs would have to test.
void LoopEmitter::emitStripReduction() {
  unsigned firstOutput = op.getNumDpsInputs();
  SmallVector<Value> accumulators;
  for (unsigned i = firstOutput; i < nest.operands.size(); ++i)
    accumulators.push_back(createStripBuffer(
        cast<MemRefType>(nest.operands[i].getType()).getElementType()));
  Value strip = constantIndex(b, loc, kStrip);
  Value lo = innermostLo ? innermostLo : constantIndex(b, loc, 0);
  Value hi = innermostHi ? innermostHi : nest.sizes[*innermost];
  auto strips = scf::ForOp::create(b, loc, lo, hi, strip);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(strips.getBody());
  stripStart = strips.getInductionVar();
  Value rest = arith::SubIOp::create(b, loc, hi, stripStart);
  Value count = arith::MinSIOp::create(b, loc, rest, strip);
  forEachInStrip(count, [&](Value place) {
    for (auto [i, buffer] : llvm::enumerate(accumulators))
      memref::StoreOp::create(b, loc, loadOperand(firstOutput + i), buffer,
                              place);
  });
  if (isFloatSum()) {
    emitStripSum(accumulators, count);
  } else {
    emitLoops(reductions, [&] { emitStripBody(accumulators, count); });
  }
  forEachInStrip(count, [&](Value place) {
    for (auto [i, buffer] : llvm::enumerate(accumulators))
      storeOutput(i, memref::LoadOp::create(b, loc, buffer, place));
  });
}

void LoopEmitter::emitStripBody(ValueRange accumulators, Value count) {
  forEachInStrip(count, [&](Value place) {
    SmallVector<Value> values;
    for (Value buffer : accumulators)
      values.push_back(memref::LoadOp::create(b, loc, buffer, place));
    for (auto [value, buffer] : llvm::zip(emitBody(values), accumulators))
      memref::StoreOp::create(b, loc, value, buffer, place);
  });
}

/// Sums of blocks of rows, added: the outermost reduction is cut into blocks, or is
/// the block when there are more reductions inside.
void LoopEmitter::emitStripSum(ValueRange accumulators, Value count) {
  Value sum = accumulators[0];
  Type element = cast<MemRefType>(sum.getType()).getElementType();
  Value partial = createStripBuffer(element);
  Value nothing = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
  unsigned dim = reductions.front();
  Value zero = constantIndex(b, loc, 0), one = constantIndex(b, loc, 1);
  Value step = reductions.size() > 1 ? one : constantIndex(b, loc, kRowBlock);
  auto blocks = scf::ForOp::create(b, loc, zero, nest.sizes[dim], step);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(blocks.getBody());
  Value start = blocks.getInductionVar();
  Value end = arith::AddIOp::create(b, loc, start, step);
  end = arith::MinSIOp::create(b, loc, end, nest.sizes[dim]);
  forEachInStrip(count, [&](Value place) {
    memref::StoreOp::create(b, loc, nothing, partial, place);
  });
  auto rows = scf::ForOp::create(b, loc, start, end, one);
  {
    OpBuilder::InsertionGuard inner(b);
    b.setInsertionPointToStart(rows.getBody());
    position[dim] = rows.getInductionVar();
    emitLoops(ArrayRef(reductions).drop_front(),
              [&] { emitStripBody(partial, count); });
  }
  forEachInStrip(count, [&](Value place) {
    Value total = arith::AddFOp::create(
        b, loc, memref::LoadOp::create(b, loc, sum, place),
        memref::LoadOp::create(b, loc, partial, place));
    memref::StoreOp::create(b, loc, total, sum, place);
  });
}

//===----------------------------------------------------------------------===//
// Body
//===----------------------------------------------------------------------===//

/// The op that combines the accumulator with an element, if there is one.
Operation *LoopEmitter::getCombiner() {
  if (reductions.empty() || op.getNumDpsInits() != 1)
    return nullptr;
  Value yielded = op.getBody()->getTerminator()->getOperand(0);
  Operation *combiner = yielded.getDefiningOp();
  BlockArgument accumulator = op.getBody()->getArguments().back();
  if (!combiner || !accumulator.hasOneUse() ||
      !llvm::is_contained(combiner->getOperands(), accumulator))
    return nullptr;
  return combiner;
}

bool LoopEmitter::isFloatSum() {
  return isa_and_nonnull<arith::AddFOp>(getCombiner());
}

SmallVector<Value> LoopEmitter::getPosition(unsigned index) {
  SmallVector<Value> result;
  for (AffineExpr expr : nest.maps[index].getResults())
    result.push_back(affine::expandAffineExpr(b, loc, expr, position, {}));
  return result;
}

Value LoopEmitter::loadOperand(unsigned index) {
  if (!isa<MemRefType>(nest.operands[index].getType()))
    return nest.operands[index];
  return memref::LoadOp::create(b, loc, nest.operands[index], getPosition(index));
}

void LoopEmitter::storeOutput(unsigned output, Value value) {
  unsigned index = op.getNumDpsInputs() + output;
  memref::StoreOp::create(b, loc, value, nest.operands[index], getPosition(index));
}

SmallVector<Value> LoopEmitter::emitBody(ValueRange outputs) {
  IRMapping mapping;
  Block *body = op.getBody();
  unsigned numInputs = op.getNumDpsInputs();
  for (unsigned i = 0; i < numInputs; ++i)
    if (!body->getArgument(i).use_empty())
      mapping.map(body->getArgument(i), loadOperand(i));
  for (auto [i, value] : llvm::enumerate(outputs))
    if (value)
      mapping.map(body->getArgument(numInputs + i), value);
  Operation *combiner = getCombiner();
  for (Operation &inner : body->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      mapping.map(index.getResult(), position[index.getDim()]);
      continue;
    }
    setFastMath(b.clone(inner, mapping), &inner == combiner);
  }
  return llvm::map_to_vector(
      body->getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

void LoopEmitter::emitBodyInMemory() {
  SmallVector<Value> outputs;
  unsigned numInputs = op.getNumDpsInputs();
  for (unsigned i = numInputs; i < nest.operands.size(); ++i) {
    bool isRead = !op.getBody()->getArgument(i).use_empty();
    outputs.push_back(isRead ? loadOperand(i) : Value());
  }
  for (auto [output, value] : llvm::enumerate(emitBody(outputs)))
    storeOutput(output, value);
}
