//===- LoopEmitter.cpp - a linalg op on buffers as loops ------------------===//
//
// Chooses loop order, accumulators and chunks for one op, and emits it.
//
//===----------------------------------------------------------------------===//

#include "LoopEmitter.h"

#include "ChunkFunctions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
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
/// Terms of a float sum that are added in a row.
static constexpr int64_t kSumBlock = 2048;

static Value constantIndex(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

LoopEmitter::LoopEmitter(OpBuilder &builder, linalg::GenericOp op)
    : b(builder), loc(op.getLoc()), op(op), operands(op->getOperands()),
      maps(op.getIndexingMapsArray()), iterators(op.getIteratorTypesArray()) {}

void LoopEmitter::emit() {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  for (unsigned dim = 0; dim < iterators.size(); ++dim)
    sizes.push_back(getLoopSize(dim));
  collapse();
  chooseOrder();
  position.resize(iterators.size());
  SmallVector<unsigned> all = outer;
  llvm::append_range(all, reductions);
  if (innermost && !isReduction(*innermost))
    all.push_back(*innermost);
  std::optional<int64_t> work = getStaticProduct(all);
  bool hasParallel = !outer.empty() || (innermost && !isReduction(*innermost));
  bool isSmall = work && *work * getBodyCost() < 2 * kChunkWork;
  if (!hasParallel || isSmall)
    emitWhole();
  else
    emitChunked();
}

/// The least size that an operand has along a loop. Operands whose sizes differ are
/// an error of the running call, which has been recorded: nothing of them is read
/// outside.
Value LoopEmitter::getLoopSize(unsigned dim) {
  AffineExpr loop = getAffineDimExpr(dim, b.getContext());
  Value least;
  for (auto [operand, map] : llvm::zip(operands, maps))
    for (auto [position, expr] : llvm::enumerate(map.getResults())) {
      if (expr != loop)
        continue;
      Value size = getValueOrCreateConstantIndexOp(
          b, loc, memref::getMixedSize(b, loc, operand, position));
      bool isSame = least && getConstantIntValue(size) &&
                    getConstantIntValue(size) == getConstantIntValue(least);
      if (!isSame)
        least = least ? b.createOrFold<arith::MinSIOp>(loc, least, size) : size;
    }
  assert(least && "every loop is a dimension of an operand");
  return least;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

bool LoopEmitter::isReduction(unsigned dim) const {
  return iterators[dim] == utils::IteratorType::reduction;
}

void LoopEmitter::collapse() {
  unsigned rank = iterators.size();
  if (rank < 2 || op.hasIndexSemantics() ||
      llvm::any_of(llvm::seq(rank), [&](unsigned d) { return isReduction(d); }))
    return;
  for (auto [operand, map] : llvm::zip(operands, maps)) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    bool isScalar = map.getNumResults() == 0;
    if (!isScalar &&
        (!type || !map.isIdentity() || !type.getLayout().isIdentity()))
      return;
  }
  SmallVector<ReassociationIndices> all = {
      llvm::to_vector(llvm::seq<int64_t>(0, rank))};
  for (auto [operand, map] : llvm::zip(operands, maps)) {
    if (map.getNumResults() == 0) {
      map = AffineMap::get(1, 0, b.getContext());
      continue;
    }
    operand = memref::CollapseShapeOp::create(b, loc, operand, all);
    map = b.getMultiDimIdentityMap(1);
  }
  sizes = {getProduct(llvm::to_vector(llvm::seq<unsigned>(0, rank)))};
  iterators.resize(1);
}

/// Whether consecutive positions along `dim` are consecutive elements.
static bool isContiguousAlong(Value operand, AffineMap map, unsigned dim) {
  auto type = dyn_cast<MemRefType>(operand.getType());
  if (!type || map.getNumResults() == 0)
    return false;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) || strides.back() != 1)
    return false;
  for (unsigned result = 0; result + 1 < map.getNumResults(); ++result)
    if (map.getResult(result).isFunctionOfDim(dim))
      return false;
  AffineExpr last = map.getResult(map.getNumResults() - 1);
  if (auto sum = dyn_cast<AffineBinaryOpExpr>(last))
    if (sum.getKind() == AffineExprKind::Add)
      return sum.getLHS() == getAffineDimExpr(dim, map.getContext()) ||
             sum.getRHS() == getAffineDimExpr(dim, map.getContext());
  return last == getAffineDimExpr(dim, map.getContext());
}

bool LoopEmitter::outputsAreFixedInReductions() {
  unsigned firstOutput = op.getNumDpsInputs();
  for (unsigned i = firstOutput; i < maps.size(); ++i)
    for (unsigned dim = 0; dim < iterators.size(); ++dim)
      if (isReduction(dim) && maps[i].isFunctionOfDim(dim))
        return false;
  return true;
}

void LoopEmitter::chooseOrder() {
  int64_t best = -1;
  for (unsigned dim = 0; dim < iterators.size(); ++dim) {
    int64_t score = 0;
    // Operands of more dimensions are walked through more often.
    for (unsigned index = 0; index < operands.size(); ++index)
      if (isContiguousAlong(operands[index], maps[index], dim))
        score += maps[index].getNumResults();
    // Of equals the last: it is the one most often contiguous.
    if (score >= best) {
      best = score;
      innermost = dim;
    }
  }
  for (unsigned dim = 0; dim < iterators.size(); ++dim) {
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
// Work
//===----------------------------------------------------------------------===//

int64_t LoopEmitter::getBodyCost() {
  int64_t cost = 1;
  for (Operation &inner : *op.getBody()) {
    bool isFunction = isa<math::MathDialect>(inner.getDialect());
    cost += isFunction || inner.getNumRegions() ? 16 : 1;
  }
  return cost;
}

std::optional<int64_t>
LoopEmitter::getStaticProduct(ArrayRef<unsigned> dims) {
  int64_t product = 1;
  for (unsigned dim : dims) {
    std::optional<int64_t> size = getConstantIntValue(sizes[dim]);
    if (!size)
      return std::nullopt;
    product *= *size;
  }
  return product;
}

Value LoopEmitter::getProduct(ArrayRef<unsigned> dims) {
  if (std::optional<int64_t> product = getStaticProduct(dims))
    return constantIndex(b, loc, *product);
  Value product = sizes[dims.front()];
  for (unsigned dim : dims.drop_front())
    product = arith::MulIOp::create(b, loc, product, sizes[dim]);
  return product;
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
                                 isCut ? innermostHi : sizes[dim], one);
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
  Value n = getProduct(cut);
  Value cost = constantIndex(b, loc, getBodyCost());
  if (!inside.empty())
    cost = arith::MulIOp::create(b, loc, cost, getProduct(inside));
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
      for (unsigned dim : llvm::reverse(ArrayRef(outer).drop_front())) {
        position[dim] = arith::RemUIOp::create(b, loc, rest, sizes[dim]);
        rest = arith::DivUIOp::create(b, loc, rest, sizes[dim]);
      }
      position[outer.front()] = rest;
      emitInner();
    }
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
  for (unsigned i = firstOutput; i < operands.size(); ++i)
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
  std::optional<int64_t> size = getConstantIntValue(sizes[dim]);
  bool isLong = !size || *size > 2 * kSumBlock;
  if (dims.size() == 1 && isLong && isFloatSum())
    return {emitBlockedSum(dim, accumulators[0])};
  Value zero = constantIndex(b, loc, 0), one = constantIndex(b, loc, 1);
  auto loop = scf::ForOp::create(b, loc, zero, sizes[dim], one, accumulators);
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
  auto blocks = scf::ForOp::create(b, loc, zero, sizes[dim], block, init);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(blocks.getBody());
  Value start = blocks.getInductionVar();
  Value end = arith::AddIOp::create(b, loc, start, block);
  end = arith::MinSIOp::create(b, loc, end, sizes[dim]);
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
  for (unsigned i = firstOutput; i < operands.size(); ++i)
    accumulators.push_back(createStripBuffer(
        cast<MemRefType>(operands[i].getType()).getElementType()));
  Value strip = constantIndex(b, loc, kStrip);
  Value lo = innermostLo ? innermostLo : constantIndex(b, loc, 0);
  Value hi = innermostHi ? innermostHi : sizes[*innermost];
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
  auto blocks = scf::ForOp::create(b, loc, zero, sizes[dim], step);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(blocks.getBody());
  Value start = blocks.getInductionVar();
  Value end = arith::AddIOp::create(b, loc, start, step);
  end = arith::MinSIOp::create(b, loc, end, sizes[dim]);
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
  for (AffineExpr expr : maps[index].getResults())
    result.push_back(affine::expandAffineExpr(b, loc, expr, position, {}));
  return result;
}

Value LoopEmitter::loadOperand(unsigned index) {
  if (!isa<MemRefType>(operands[index].getType()))
    return operands[index];
  return memref::LoadOp::create(b, loc, operands[index], getPosition(index));
}

void LoopEmitter::storeOutput(unsigned output, Value value) {
  unsigned index = op.getNumDpsInputs() + output;
  memref::StoreOp::create(b, loc, value, operands[index], getPosition(index));
}

/// The flags of a cloned float op: products may be contracted into sums, and an
/// accumulation reordered, nothing else.
static void setFastMath(Operation *clone, bool isCombiner) {
  if (!isa<arith::ArithFastMathInterface>(clone) ||
      isa<arith::ExtFOp, arith::TruncFOp>(clone))
    return;
  auto flags = arith::FastMathFlags::contract;
  if (isCombiner)
    flags = flags | arith::FastMathFlags::reassoc;
  clone->setAttr("fastmath",
                 arith::FastMathFlagsAttr::get(clone->getContext(), flags));
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
  for (unsigned i = numInputs; i < operands.size(); ++i) {
    bool isRead = !op.getBody()->getArgument(i).use_empty();
    outputs.push_back(isRead ? loadOperand(i) : Value());
  }
  for (auto [output, value] : llvm::enumerate(emitBody(outputs)))
    storeOutput(output, value);
}
