//===- RotateLoops.cpp - the form of loops that reverse mode takes --------===//
//
// Reverse mode undoes a loop's body. What the condition region computes and hands on
// would be a second body, run once more than the first; rotation makes it part of
// the one.
//
//===----------------------------------------------------------------------===//

#include "ReverseMode.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::mindir;

/// Positions among the condition region's arguments of the values that it hands on;
/// none if it computes one of them.
static std::optional<SmallVector<unsigned>> getForwarded(scf::WhileOp op) {
  SmallVector<unsigned> positions;
  for (Value value : op.getConditionOp().getArgs()) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != op.getBeforeBody())
      return std::nullopt;
    positions.push_back(argument.getArgNumber());
  }
  return positions;
}

/// Makes the condition region hand on all of its arguments in order.
static void forwardAll(scf::WhileOp op, ArrayRef<unsigned> positions) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto loop = scf::WhileOp::create(builder, loc, op.getInits().getTypes(),
                                   op.getInits());
  loop.getBefore().takeBody(op.getBefore());
  loop.getAfter().takeBody(op.getAfter());
  loop.getConditionOp().getArgsMutable().assign(loop.getBeforeArguments());
  Block *after = loop.getAfterBody();
  unsigned numOld = after->getNumArguments();
  for (Value argument : loop.getBeforeArguments())
    after->addArgument(argument.getType(), argument.getLoc());
  for (auto [i, position] : llvm::enumerate(positions)) {
    after->getArgument(i).replaceAllUsesWith(
        after->getArgument(numOld + position));
    op.getResult(i).replaceAllUsesWith(loop.getResult(position));
  }
  after->eraseArguments(0, numOld);
  op.erase();
}

/// Clones a condition region over `arguments`; returns the condition and what it
/// hands on.
static SmallVector<Value> inlineCondition(OpBuilder &builder, Block &before,
                                          ValueRange arguments) {
  IRMapping mapping;
  mapping.map(before.getArguments(), arguments);
  for (Operation &op : before.without_terminator())
    builder.clone(op, mapping);
  SmallVector<Value> values;
  for (Value value : before.getTerminator()->getOperands())
    values.push_back(mapping.lookupOrDefault(value));
  return values;
}

/// Runs the condition region ahead of the loop and at the end of each iteration;
/// the loop carries the condition and what was handed on.
static void rotate(scf::WhileOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Block &before = *op.getBeforeBody();
  SmallVector<Value> inits = inlineCondition(builder, before, op.getInits());
  SmallVector<Type> types;
  for (Value init : inits)
    types.push_back(init.getType());
  auto loop = scf::WhileOp::create(builder, loc, types, inits);
  SmallVector<Location> locs(types.size(), loc);
  Block *newBefore = builder.createBlock(&loop.getBefore(), {}, types, locs);
  scf::ConditionOp::create(builder, loc, newBefore->getArgument(0),
                           newBefore->getArguments());
  loop.getAfter().takeBody(op.getAfter());
  Block *after = loop.getAfterBody();
  after->insertArgument(0u, types.front(), loc);
  Operation *terminator = after->getTerminator();
  builder.setInsertionPoint(terminator);
  terminator->setOperands(
      inlineCondition(builder, before, terminator->getOperands()));
  op.replaceAllUsesWith(loop.getResults().drop_front());
  op.erase();
}

void mindir::rotateLoops(func::FuncOp function) {
  SmallVector<scf::WhileOp> loops;
  function.walk([&](scf::WhileOp op) { loops.push_back(op); });
  for (scf::WhileOp op : loops) { // innermost first
    if (auto positions = getForwarded(op))
      forwardAll(op, *positions);
    else
      rotate(op);
  }
}
