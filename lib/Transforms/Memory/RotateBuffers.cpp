//===- RotateBuffers.cpp - loops take turns with their buffers ------------===//
//
// Lets loops hand the buffers of carried values on instead of copying them, and write
// new values into the buffer of one that died.
//
//===----------------------------------------------------------------------===//

#include "mindir/Transforms/Memory/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_ROTATEBUFFERS
#include "mindir/Transforms/Memory/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

//===----------------------------------------------------------------------===//
// Uses of buffers
//===----------------------------------------------------------------------===//

/// Whether the use, by an op that is neither a view nor a terminator, reads only.
static bool isPlainRead(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<ViewLikeOpInterface>(user) || user->hasTrait<OpTrait::IsTerminator>())
    return false;
  auto effects = dyn_cast<MemoryEffectOpInterface>(user);
  if (!effects)
    return false;
  SmallVector<MemoryEffects::EffectInstance> found;
  effects.getEffects(found);
  return llvm::none_of(found, [&](const MemoryEffects::EffectInstance &effect) {
    bool mayTouch = !effect.getValue() || effect.getValue() == use.get();
    return mayTouch && !isa<MemoryEffects::Read>(effect.getEffect());
  });
}

/// Whether a carried buffer is only read, or handed on by a terminator.
static bool isOnlyRead(Value buffer) {
  return llvm::all_of(buffer.getUses(), [](OpOperand &use) {
    return use.getOwner()->hasTrait<OpTrait::IsTerminator>() ||
           isPlainRead(use);
  });
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {

/// An `scf.for` or `scf.while` with what each carried value is at each station.
struct CarryingLoop {
  static std::optional<CarryingLoop> get(Operation *op);

  /// The same loop with one more carried index, handed on as it is; the old op is gone.
  void addIndex(RewriterBase &rewriter, Value init);

  unsigned size() const { return bodyArguments.size(); }
  Block *getBody() const { return terminator->getBlock(); }
  OpOperand &getInit(unsigned i) const {
    return op->getOpOperand(firstInit + i);
  }
  OpOperand &getYield(unsigned i) const { return terminator->getOpOperand(i); }
  bool isYielded(Value value) const {
    return llvm::is_contained(terminator->getOperands(), value);
  }

  Operation *op = nullptr;
  unsigned firstInit = 0;
  /// In a `while`, the values in its condition.
  SmallVector<BlockArgument> conditionArguments;
  /// The value in the body, and behind the loop; null when a `while` does not hand it
  /// there.
  SmallVector<BlockArgument> bodyArguments;
  SmallVector<OpResult> results;
  Operation *terminator = nullptr;
};

std::optional<CarryingLoop> CarryingLoop::get(Operation *op) {
  CarryingLoop loop;
  loop.op = op;
  if (auto forOp = dyn_cast<scf::ForOp>(op)) {
    loop.firstInit = forOp.getNumControlOperands();
    loop.terminator = forOp.getBody()->getTerminator();
    llvm::append_range(loop.bodyArguments, forOp.getRegionIterArgs());
    llvm::append_range(loop.results, forOp->getResults());
    return loop;
  }
  auto whileOp = dyn_cast<scf::WhileOp>(op);
  if (!whileOp)
    return std::nullopt;
  loop.terminator = whileOp.getYieldOp();
  llvm::append_range(loop.conditionArguments, whileOp.getBeforeArguments());
  loop.bodyArguments.resize(whileOp.getInits().size());
  loop.results.resize(whileOp.getInits().size());
  for (auto [i, handed] : llvm::enumerate(whileOp.getConditionOp().getArgs())) {
    auto before = dyn_cast<BlockArgument>(handed);
    if (!before || before.getOwner() != whileOp.getBeforeBody())
      continue;
    unsigned number = before.getArgNumber();
    if (loop.bodyArguments[number]) // handed on twice: out of the ordinary
      return std::nullopt;
    loop.bodyArguments[number] = whileOp.getAfterArguments()[i];
    loop.results[number] = whileOp->getResult(i);
  }
  return loop;
}

void CarryingLoop::addIndex(RewriterBase &rewriter, Value init) {
  rewriter.setInsertionPoint(op);
  if (auto forOp = dyn_cast<scf::ForOp>(op)) {
    auto yield = [](OpBuilder &, Location,
                    ArrayRef<BlockArgument> arguments) -> SmallVector<Value> {
      return {arguments[0]};
    };
    auto made = forOp.replaceWithAdditionalYields(
        rewriter, init, /*replaceInitOperandUsesInLoop=*/false, yield);
    *this = *get(made->getOperation());
    return;
  }
  auto old = cast<scf::WhileOp>(op);
  SmallVector<Value> inits(old.getInits());
  inits.push_back(init);
  SmallVector<Type> types(old.getResultTypes());
  types.push_back(init.getType());
  auto made = scf::WhileOp::create(rewriter, old.getLoc(), types, inits);
  made->setAttrs(old->getAttrs());
  made.getBefore().takeBody(old.getBefore());
  made.getAfter().takeBody(old.getAfter());
  Location loc = made.getLoc();
  Value before = made.getBeforeBody()->addArgument(init.getType(), loc);
  Value after = made.getAfterBody()->addArgument(init.getType(), loc);
  made.getConditionOp().getArgsMutable().append(before);
  made.getYieldOp().getResultsMutable().append(after);
  rewriter.replaceOp(old, made.getResults().drop_back());
  *this = *get(made);
}

/// The copy that alone fills a fresh buffer, which is used once beside; null if there
/// is none.
memref::CopyOp getOnlyCopyInto(memref::AllocOp alloc) {
  if (!alloc || !alloc.getResult().hasNUses(2))
    return {};
  for (Operation *user : alloc->getUsers())
    if (auto copy = dyn_cast<memref::CopyOp>(user))
      if (copy.getTarget() == alloc.getResult())
        return copy;
  return {};
}

/// Whether a loop may overwrite the buffer that it begins with: it is fresh, and used
/// before the loop only.
bool ownsInit(Operation *loop, Value init) {
  auto alloc = init.getDefiningOp<memref::AllocOp>();
  if (!alloc || alloc->getBlock() != loop->getBlock())
    return false;
  return llvm::all_of(alloc->getUses(), [&](OpOperand &use) {
    Operation *ancestor =
        alloc->getBlock()->findAncestorOpInBlock(*use.getOwner());
    return use.getOwner() == loop || ancestor->isBeforeInBlock(loop);
  }) && llvm::count(loop->getOperands(), init) == 1;
}

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

/// Carried values of one type that are handed on among themselves or made anew.
class Ring {
public:
  Ring(CarryingLoop &loop, MemRefType type) : loop(loop), type(type) {}

  /// Finds the members; whether rotating them saves anything.
  bool find();
  void rotate(RewriterBase &rewriter);

private:
  bool canBeMember(unsigned i) const;
  void handOn();
  std::optional<unsigned> getSource(unsigned i) const;
  Value createView(OpBuilder &b, Value offset);
  void placeInits(RewriterBase &rewriter);
  void addSpares(RewriterBase &rewriter);
  void replaceArguments(OpBuilder &b);
  void replaceResults(OpBuilder &b);

  CarryingLoop &loop;
  MemRefType type;
  SmallVector<unsigned> members;
  /// Members whose new value is made in the body, and those that then die.
  SmallVector<unsigned> fresh, dead;
  Value ring;
};

/// A fresh buffer of the body that is yielded once.
memref::AllocOp getYieldedAlloc(const CarryingLoop &loop, unsigned i) {
  auto alloc = loop.getYield(i).get().getDefiningOp<memref::AllocOp>();
  if (!alloc || alloc->getBlock() != loop.getBody() ||
      llvm::count(loop.terminator->getOperands(), alloc.getResult()) != 1)
    return {};
  return alloc;
}

/// The carried value whose argument is yielded at `i`.
std::optional<unsigned> Ring::getSource(unsigned i) const {
  for (unsigned from : members)
    if (loop.getYield(i).get() == loop.bodyArguments[from])
      return from;
  return std::nullopt;
}

bool Ring::canBeMember(unsigned i) const {
  return loop.getInit(i).get().getType() == type && loop.bodyArguments[i] &&
         ownsInit(loop.op, loop.getInit(i).get());
}

bool Ring::find() {
  for (unsigned i = 0; i < loop.size(); ++i)
    if (canBeMember(i))
      members.push_back(i);
  handOn();
  // What a member yields is a member or fresh, and only members yield members, once.
  auto fits = [&](unsigned i) {
    auto argument = loop.bodyArguments[i];
    unsigned yields = 0;
    for (unsigned to = 0; to < loop.size(); ++to)
      if (loop.getYield(to).get() == argument)
        yields += llvm::is_contained(members, to) ? 1 : 2;
    return yields <= 1 && (getSource(i) || getYieldedAlloc(loop, i));
  };
  for (bool changed = true; changed;) {
    size_t before = members.size();
    llvm::erase_if(members, [&](unsigned i) { return !fits(i); });
    changed = members.size() != before;
  }
  bool moves = false;
  for (unsigned i : members) {
    std::optional<unsigned> source = getSource(i);
    moves |= source != i;
    if (!source)
      fresh.push_back(i);
    if (!loop.isYielded(loop.bodyArguments[i]))
      dead.push_back(i);
  }
  return moves;
}

/// Yields a carried buffer itself where a copy of it is yielded.
void Ring::handOn() {
  for (unsigned i : members) {
    memref::AllocOp alloc = getYieldedAlloc(loop, i);
    memref::CopyOp copy = getOnlyCopyInto(alloc);
    if (!copy)
      continue;
    for (unsigned from : members) {
      BlockArgument source = loop.bodyArguments[from];
      if (copy.getSource() != source || loop.isYielded(source) ||
          !isOnlyRead(source))
        continue;
      loop.getYield(i).set(source);
      copy.erase();
      alloc.erase();
      break;
    }
  }
}

int64_t getSlotBytes(MemRefType type) {
  int64_t element = type.getElementTypeBitWidth() / 8;
  return llvm::alignTo(std::max<int64_t>(type.getNumElements() * element, 1), 64);
}

Value Ring::createView(OpBuilder &b, Value offset) {
  return memref::ViewOp::create(b, loop.op->getLoc(), type, ring, offset,
                                ValueRange{});
}

/// Puts the buffers that the loop begins with into the first slots.
void Ring::placeInits(RewriterBase &rewriter) {
  Operation *first = loop.op;
  for (unsigned i : members) {
    Operation *alloc = loop.getInit(i).get().getDefiningOp();
    if (alloc->isBeforeInBlock(first))
      first = alloc;
  }
  rewriter.setInsertionPoint(first);
  Location loc = loop.op->getLoc();
  int64_t bytes = (members.size() + fresh.size()) * getSlotBytes(type);
  auto ringType = MemRefType::get({bytes}, rewriter.getI8Type());
  ring = memref::AllocOp::create(rewriter, loc, ringType);
  for (auto [slot, i] : llvm::enumerate(members)) {
    Value alloc = loop.getInit(i).get();
    rewriter.setInsertionPoint(first);
    Value offset = arith::ConstantIndexOp::create(rewriter, loc,
                                                  slot * getSlotBytes(type));
    Value view = createView(rewriter, offset);
    loop.getInit(i).set(offset);
    rewriter.replaceAllUsesWith(alloc, view);
    if (alloc.getDefiningOp() == first)
      first = first->getNextNode();
    rewriter.eraseOp(alloc.getDefiningOp());
  }
}

/// Carries the offsets of spare slots: a fresh value takes one, and a dead value's slot
/// is the next spare.
void Ring::addSpares(RewriterBase &rewriter) {
  for (auto [number, to, from] : llvm::enumerate(fresh, dead)) {
    rewriter.setInsertionPoint(loop.op);
    Value offset = arith::ConstantIndexOp::create(
        rewriter, loop.op->getLoc(),
        (members.size() + number) * getSlotBytes(type));
    loop.addIndex(rewriter, offset);
    unsigned spare = loop.size() - 1;
    auto alloc = loop.getYield(to).get().getDefiningOp<memref::AllocOp>();
    rewriter.setInsertionPoint(alloc);
    Value view = createView(rewriter, loop.bodyArguments[spare]);
    loop.getYield(to).set(loop.bodyArguments[spare]);
    loop.getYield(spare).set(loop.bodyArguments[from]);
    rewriter.replaceOp(alloc, view);
  }
}

void Ring::replaceArguments(OpBuilder &b) {
  auto replace = [&](BlockArgument argument, Operation *terminator) {
    b.setInsertionPointToStart(argument.getOwner());
    argument.setType(b.getIndexType());
    Value view = createView(b, argument);
    argument.replaceUsesWithIf(view, [&](OpOperand &use) {
      return use.getOwner() != terminator &&
             use.getOwner() != view.getDefiningOp();
    });
  };
  for (unsigned i : members) {
    replace(loop.bodyArguments[i], loop.terminator);
    if (auto whileOp = dyn_cast<scf::WhileOp>(loop.op))
      replace(loop.conditionArguments[i], whileOp.getConditionOp());
  }
}

/// What is only read behind the loop is read in its slot; what may leave the function
/// or be written moves into a buffer of its own.
void Ring::replaceResults(OpBuilder &b) {
  for (unsigned i : members) {
    OpResult result = loop.results[i];
    bool staysHere = llvm::all_of(result.getUses(), isPlainRead);
    b.setInsertionPointAfter(loop.op);
    result.setType(b.getIndexType());
    if (result.use_empty())
      continue;
    Value view = createView(b, result), value = view;
    if (!staysHere) {
      value = memref::AllocOp::create(b, result.getLoc(), type);
      memref::CopyOp::create(b, result.getLoc(), view, value);
    }
    result.replaceAllUsesExcept(value, view.getDefiningOp());
  }
}

void Ring::rotate(RewriterBase &rewriter) {
  placeInits(rewriter);
  addSpares(rewriter);
  replaceArguments(rewriter);
  replaceResults(rewriter);
  remark::passed(loop.op->getLoc(),
                 remark::RemarkOpts::name("RotateBuffers").category("memory"))
      << "rotated: " << std::to_string(members.size())
      << " carried values take turns with "
      << std::to_string(members.size() + fresh.size()) << " buffers";
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

struct RotateBuffers : mlir::mindir::impl::RotateBuffersBase<RotateBuffers> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<scf::ForOp, scf::WhileOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      if (auto whileOp = dyn_cast<scf::WhileOp>(op))
        handToBody(whileOp);
      hoist(op);
      rotate(op);
    }
  }

private:
  /// Allocates once what each iteration uses for itself. Upstream's pass also moves
  /// buffers that are yielded, which the next iteration would then overwrite.
  static void hoist(Operation *loop) {
    SmallVector<memref::AllocOp> local;
    for (Region &region : loop->getRegions())
      for (auto alloc : region.getOps<memref::AllocOp>())
        if (alloc.getType().hasStaticShape() && isLocal(alloc))
          local.push_back(alloc);
    for (memref::AllocOp alloc : local)
      alloc->moveBefore(loop);
  }

  /// Whether the buffer is used under its own name only, by ops that keep nothing.
  static bool isLocal(memref::AllocOp alloc) {
    return llvm::all_of(alloc->getUsers(), [](Operation *user) {
      return isa<linalg::LinalgOp, memref::LoadOp, memref::StoreOp,
                 memref::CopyOp>(user);
    });
  }

  /// Hands the buffers that a condition only reads to the body, not copies of them.
  void handToBody(scf::WhileOp op) {
    scf::ConditionOp condition = op.getConditionOp();
    for (OpOperand &operand : condition.getArgsMutable()) {
      auto alloc = operand.get().getDefiningOp<memref::AllocOp>();
      memref::CopyOp copy = getOnlyCopyInto(alloc);
      auto source = copy ? dyn_cast<BlockArgument>(copy.getSource())
                         : BlockArgument();
      if (!source || source.getOwner() != op.getBeforeBody() ||
          source.getType() != alloc.getType() || !isOnlyRead(source) ||
          llvm::is_contained(condition.getArgs(), source) ||
          !isNewInEachIteration(op, source.getArgNumber()) ||
          !ownsInit(op, op.getInits()[source.getArgNumber()]))
        continue;
      operand.set(source);
      copy.erase();
      alloc.erase();
    }
  }

  /// Whether what the body yields at `i` is a buffer that the iteration made or was
  /// handed, and yields once. One from outside of the loop would be written again in
  /// the next iteration, while this one still reads it.
  static bool isNewInEachIteration(scf::WhileOp op, unsigned i) {
    Operation *yield = op.getYieldOp();
    Value value = yield->getOperand(i);
    auto alloc = value.getDefiningOp<memref::AllocOp>();
    return value.getParentBlock() == yield->getBlock() &&
           (alloc || isa<BlockArgument>(value)) &&
           llvm::count(yield->getOperands(), value) == 1;
  }

  void rotate(Operation *op) {
    std::optional<CarryingLoop> loop = CarryingLoop::get(op);
    if (!loop)
      return;
    llvm::SetVector<MemRefType> types;
    for (unsigned i = 0; i < loop->size(); ++i) {
      auto type = dyn_cast<MemRefType>(loop->getInit(i).get().getType());
      if (type && type.hasStaticShape() && type.getLayout().isIdentity() &&
          type.getElementType().isIntOrFloat() &&
          type.getElementTypeBitWidth() % 8 == 0)
        types.insert(type);
    }
    IRRewriter rewriter(&getContext());
    for (MemRefType type : types) {
      Ring ring(*loop, type);
      if (!ring.find())
        continue;
      ring.rotate(rewriter);
      ++numRotated;
    }
  }
};

} // namespace
