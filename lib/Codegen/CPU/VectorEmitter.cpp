//===- VectorEmitter.cpp - order of the loops, and threads ----------------===//
//
// Decides along which loop an op runs on vectors, which outputs accumulate, and what
// the threads share out.
//
//===----------------------------------------------------------------------===//

#include "VectorEmitter.h"

#include "ChunkFunctions.h"

#include "mindir/Analysis/VectorBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::mindir;

/// Ops on elements that one thread does sooner than two.
static constexpr int64_t kSmallWork = 1 << 17;
/// Ops on elements that are worth a part of their own.
static constexpr int64_t kPartWork = 1 << 16;
/// Most parts of a cut loop, and elements in a table of their accumulators.
static constexpr int64_t kMostParts = 32, kMostTable = 1 << 14;
/// Iterations of outer loops that keep all threads busy.
static constexpr int64_t kManyIterations = 16;
/// Columns that are accumulated at a time: their accumulators lie in the first-level
/// cache beside the rows.
static constexpr int64_t kStrip = 512;

VectorEmitter::VectorEmitter(OpBuilder &b, LoopNest nest)
    : b(b), loc(nest.getLoc()), nest(std::move(nest)) {}

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

bool VectorEmitter::analyze() {
  lanes = getVectorLanes(nest.op);
  if (!lanes || !chooseInner() || !describeOutputs())
    return false;
  orderLoops();
  return true;
}

/// The loop along which every operand is contiguous or constant, and most are
/// contiguous; of equals the last.
bool VectorEmitter::chooseInner() {
  int64_t best = 0;
  for (unsigned dim = 0; dim < nest.getNumLoops(); ++dim) {
    std::optional<int64_t> size = nest.getStaticSize(dim);
    if (size && *size < lanes)
      continue;
    int64_t score = 0;
    bool fits = true;
    for (unsigned i = 0; i < nest.operands.size(); ++i) {
      if (!nest.maps[i].isFunctionOfDim(dim))
        continue;
      fits &= nest.isContiguousAlong(i, dim);
      score += nest.maps[i].getNumResults();
    }
    if (fits && score && score >= best) {
      best = score;
      inner = dim;
    }
  }
  return best > 0;
}

bool VectorEmitter::describeOutputs() {
  unsigned first = nest.op.getNumDpsInputs();
  for (unsigned i = first; i < nest.operands.size(); ++i) {
    Output output;
    output.operand = i;
    output.variesAlongInner = nest.maps[i].isFunctionOfDim(inner);
    if (!coversDomain(nest.maps[i])) {
      output.combiner = getCombiner(nest.op, i - first);
      if (!output.combiner)
        return false;
    }
    outputs.push_back(output);
  }
  return haveCommonLoops(ArrayRef(nest.maps).drop_front(first), inner);
}

void VectorEmitter::orderLoops() {
  for (unsigned dim = 0; dim < nest.getNumLoops(); ++dim) {
    if (dim == inner)
      continue;
    bool isOuter = llvm::all_of(outputs, [&](const Output &output) {
      return nest.maps[output.operand].isFunctionOfDim(dim);
    });
    (isOuter ? outer : rows).push_back(dim);
  }
}

bool VectorEmitter::accumulates() const {
  return llvm::any_of(outputs, [](const Output &o) { return o.combiner; });
}

bool VectorEmitter::hasColumns() const {
  return llvm::any_of(outputs, [](const Output &o) {
    return o.combiner && o.variesAlongInner;
  });
}

bool VectorEmitter::hasFloatSum() const {
  return llvm::any_of(outputs, [](const Output &o) {
    return isa_and_nonnull<arith::AddFOp>(o.combiner);
  });
}

Type VectorEmitter::getElementType(const Output &output) const {
  return getElementTypeOrSelf(nest.operands[output.operand].getType());
}

//===----------------------------------------------------------------------===//
// What threads share out
//===----------------------------------------------------------------------===//

void VectorEmitter::emit() {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(nest.op);
  Value zero = index(0);
  stackAnchor = zero.getDefiningOp();
  position.resize(nest.getNumLoops());
  innerLo = zero;
  innerHi = nest.sizes[inner];
  std::optional<int64_t> width = nest.getStaticSize(inner);
  stripSize = width && *width <= kStrip ? llvm::alignTo(*width, lanes) : kStrip;
  if (isSmall())
    return emitOuterLoops(outer);
  if (chooseCut())
    return emitOuterChunks();
  createParts();
  emitOuterLoops(outer);
}

bool VectorEmitter::isSmall() const {
  SmallVector<unsigned> all =
      llvm::to_vector(llvm::seq<unsigned>(0, nest.getNumLoops()));
  std::optional<int64_t> work = nest.getStaticProduct(all);
  return work && *work * nest.getBodyCost() < kSmallWork;
}

bool VectorEmitter::chooseCut() {
  std::optional<int64_t> count = nest.getStaticProduct(outer);
  std::optional<int64_t> width = nest.getStaticSize(inner);
  bool hasMany = !outer.empty() && (!count || *count >= kManyIterations);
  // Elementwise loops over few long rows are cut along the rows.
  bool hasShortRows = !accumulates() && width && *width < kMostTable;
  if (hasMany || (!outer.empty() && hasShortRows))
    return true;
  cut = accumulates() ? chooseCutOfReduction() : inner;
  // The cut row loop is the first.
  if (*cut != inner) {
    rows.erase(llvm::find(rows, *cut));
    rows.insert(rows.begin(), *cut);
  }
  return false;
}

/// The longest row loop, unless that is short, or the table of its parts would be
/// large.
unsigned VectorEmitter::chooseCutOfReduction() const {
  std::optional<int64_t> width = nest.getStaticSize(inner);
  if (hasColumns() && (!width || *width > kMostTable / kManyIterations))
    return inner;
  unsigned best = inner;
  int64_t longest = kManyIterations - 1;
  for (unsigned dim : rows) {
    int64_t size = nest.getStaticSize(dim).value_or(INT64_MAX);
    if (size > longest) {
      longest = size;
      best = dim;
    }
  }
  return best;
}

void VectorEmitter::emitOuterChunks() {
  // As many loops as keep the threads busy; the others run inside.
  SmallVector<unsigned> shared, inside;
  for (unsigned dim : outer) {
    std::optional<int64_t> count = nest.getStaticProduct(shared);
    bool hasEnough = !shared.empty() && count && *count >= 4 * kManyIterations;
    (hasEnough ? inside : shared).push_back(dim);
  }
  SmallVector<unsigned> body = inside;
  llvm::append_range(body, rows);
  body.push_back(inner);
  Value n = nest.getProduct(b, shared), one = index(1);
  Value cost = arith::MulIOp::create(b, loc, index(nest.getBodyCost()),
                                     nest.getProduct(b, body));
  cost = arith::MaxSIOp::create(b, loc, cost, one);
  Value grain = arith::DivUIOp::create(b, loc, index(kPartWork), cost);
  grain = arith::MaxSIOp::create(b, loc, grain, one);
  Chunk chunk(b, loc, n);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(chunk.loop.getBody()->getTerminator());
    stackAnchor = chunk.hi.getDefiningOp();
    emitLoop(chunk.lo, chunk.hi, one, [&](Value iteration) {
      for (unsigned dim : llvm::reverse(ArrayRef(shared).drop_front())) {
        position[dim] =
            arith::RemUIOp::create(b, loc, iteration, nest.sizes[dim]);
        iteration = arith::DivUIOp::create(b, loc, iteration, nest.sizes[dim]);
      }
      position[shared.front()] = iteration;
      emitOuterLoops(inside);
    });
  }
  outlineChunk(b, chunk, n, grain);
}

int64_t VectorEmitter::getMostParts() const {
  if (!hasColumns() || *cut == inner)
    return kMostParts;
  // Columns have a known number here; see `chooseCutOfReduction`.
  int64_t width = std::max<int64_t>(*nest.getStaticSize(inner), 1);
  return std::clamp<int64_t>(kMostTable / width, 2, kMostParts);
}

/// Iterations of the cut loop in a part: from sizes alone, so that results do not
/// depend on the number of threads.
Value VectorEmitter::getPartLength() {
  SmallVector<unsigned> others(rows);
  others.push_back(inner);
  llvm::erase(others, *cut);
  int64_t work = nest.getBodyCost() *
                 std::max<int64_t>(nest.getStaticProduct(others).value_or(1), 1);
  int64_t unit = *cut == inner ? 4 * lanes : 1;
  int64_t least = llvm::alignTo(llvm::divideCeil(kPartWork, work), unit);
  if (std::optional<int64_t> size = nest.getStaticSize(*cut)) {
    int64_t length = llvm::divideCeil(*size, getMostParts());
    return index(llvm::alignTo(std::max(length, least), unit));
  }
  Value length = arith::CeilDivUIOp::create(b, loc, nest.sizes[*cut],
                                            index(getMostParts()));
  length = arith::MaxUIOp::create(b, loc, length, index(least));
  length = arith::CeilDivUIOp::create(b, loc, length, index(unit));
  return arith::MulIOp::create(b, loc, length, index(unit));
}

void VectorEmitter::createParts() {
  int64_t width = hasColumns() && *cut != inner
                      ? llvm::alignTo(*nest.getStaticSize(inner), stripSize)
                      : 1;
  for (Output &output : outputs) {
    bool varies = nest.maps[output.operand].isFunctionOfDim(*cut);
    if (output.combiner && !varies)
      output.parts =
          createStack({getMostParts(), output.variesAlongInner ? width : 1},
                      getElementType(output));
  }
}

void VectorEmitter::emitParts() {
  Value size = nest.sizes[*cut], length = getPartLength();
  partLength = length;
  Value count = arith::CeilDivUIOp::create(b, loc, size, length);
  Value grain = index(1);
  Chunk chunk(b, loc, count);
  Operation *outside = stackAnchor;
  Value lo = innerLo, hi = innerHi;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(chunk.loop.getBody()->getTerminator());
    stackAnchor = chunk.hi.getDefiningOp();
    emitLoop(chunk.lo, chunk.hi, index(1), [&](Value iteration) {
      part = iteration;
      partLo = arith::MulIOp::create(b, loc, part, length);
      partHi = arith::AddIOp::create(b, loc, partLo, length);
      partHi = arith::MinSIOp::create(b, loc, partHi, size);
      if (*cut == inner) {
        innerLo = partLo;
        innerHi = partHi;
      }
      emitBlock();
    });
  }
  stackAnchor = outside;
  innerLo = lo;
  innerHi = hi;
  outlineChunk(b, chunk, count, grain);
  combineParts(count);
}

/// Adds the parts' accumulators to the outputs, in order.
void VectorEmitter::combineParts(Value count) {
  for (const Output &output : outputs) {
    if (!output.parts)
      continue;
    auto addParts = [&](bool onVectors) {
      Value column = output.variesAlongInner ? position[inner] : index(0);
      auto loop = scf::ForOp::create(b, loc, index(0), count, index(1),
                                     load(output.operand, onVectors));
      {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(loop.getBody());
        Value value = loadFrom(output.parts, {loop.getInductionVar(), column},
                               onVectors);
        Value sum = combine(output, loop.getRegionIterArgs()[0], value);
        scf::YieldOp::create(b, loc, sum);
      }
      store(output.operand, loop.getResult(0));
    };
    if (output.variesAlongInner)
      emitSpan(index(0), nest.sizes[inner], addParts);
    else
      addParts(/*onVectors=*/false);
  }
}
