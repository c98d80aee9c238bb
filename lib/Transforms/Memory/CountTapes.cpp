//===- CountTapes.cpp - references of tapes -------------------------------===//
//
// Makes each tape value one counted reference that exactly one use takes over.
//
//===----------------------------------------------------------------------===//

#include "mindir/Transforms/Memory/Passes.h"

#include "mindir/Conversion/RuntimeCalls.h"
#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_COUNTTAPES
#include "mindir/Transforms/Memory/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

/// Where the uses of a tape stand, seen from the block that defines it.
struct TapeUses {
  explicit TapeUses(Value tape) {
    Block *block = tape.getParentBlock();
    for (OpOperand &use : tape.getUses()) {
      Operation *ancestor = block->findAncestorOpInBlock(*use.getOwner());
      uses.push_back(use.getOwner());
      if (!last || last->isBeforeInBlock(ancestor))
        last = ancestor;
    }
    // The last op takes over the reference when it uses the tape itself, once, and
    // no region of it does.
    int64_t direct = 0, nested = 0;
    for (Operation *user : uses) {
      direct += user == last;
      nested += user != last && last && last->isProperAncestor(user);
    }
    isTakenOver = last && direct > 0 && nested == 0;
  }

  /// One entry per use.
  SmallVector<Operation *> uses;
  Operation *last = nullptr;
  bool isTakenOver = false;
};

static void callOnTape(OpBuilder &b, Location loc, StringRef name, Value tape,
                       TypeRange results) {
  callRuntime(b, loc, name, results, tape);
}

static void countReferences(Value tape) {
  OpBuilder b(tape.getContext());
  TapeUses uses(tape);
  Location loc = tape.getLoc();
  bool takenOver = false;
  for (Operation *user : uses.uses) {
    if (uses.isTakenOver && user == uses.last && !takenOver) {
      takenOver = true;
      continue;
    }
    b.setInsertionPoint(user);
    callOnTape(b, loc, "mindrt_tape_retain", tape, tape.getType());
  }
  if (takenOver)
    return;
  if (uses.last)
    b.setInsertionPointAfter(uses.last);
  else if (Operation *op = tape.getDefiningOp())
    b.setInsertionPointAfter(op);
  else
    b.setInsertionPointToStart(tape.getParentBlock());
  callOnTape(b, loc, "mindrt_tape_release", tape, {});
}

namespace {

struct CountTapes : mlir::mindir::impl::CountTapesBase<CountTapes> {
  void runOnOperation() override {
    SmallVector<Value> tapes;
    getOperation().walk([&](Operation *op) {
      for (Region &region : op->getRegions())
        for (Block &block : region)
          collect(block.getArguments(), tapes);
      collect(op->getResults(), tapes);
    });
    for (Value tape : tapes)
      countReferences(tape);
  }

private:
  static void collect(ValueRange values, SmallVectorImpl<Value> &tapes) {
    for (Value value : values)
      if (isa<TapeType>(value.getType()))
        tapes.push_back(value);
  }
};

} // namespace
