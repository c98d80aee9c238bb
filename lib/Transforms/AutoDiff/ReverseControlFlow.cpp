//===- ReverseControlFlow.cpp - reverse of branches and loops -------------===//
//
// The reverse of a branch is a branch, that of a loop a counted loop. Their
// residuals go on a tape: the forward region pushes, the backward region pops.
//
//===----------------------------------------------------------------------===//

#include "Activity.h"
#include "ReverseMode.h"
#include "ValueUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::mindir;

/// Values from outside that the ops of `block` use, in order, as far as relevant.
static llvm::SetVector<Value>
getCaptured(Block &block, function_ref<bool(Value)> isRelevant) {
  llvm::SetVector<Value> captured;
  Region *region = block.getParent();
  block.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (!region->isAncestor(operand.getParentRegion()) && isRelevant(operand))
        captured.insert(operand);
  });
  return captured;
}

namespace {
/// How a structured op takes part in its scope's tape: it continues the tape that
/// is threaded through a taped scope, or has one of its own.
class TapeLink {
public:
  TapeLink(ReverseScope &scope, Operation *op)
      : scope(scope),
        taped(scope.isTaped() ? static_cast<TapedScope *>(&scope) : nullptr) {
    OpBuilder at(op);
    start = taped ? createTapePlaceholder(scope.function, at, op->getLoc())
                  : Value(TapeEmptyOp::create(at, op->getLoc()));
  }

  /// The tape that the forward op starts with.
  Value getForwardStart() const { return start; }
  /// The tape that the backward op starts with, `end` being the forward op's.
  Value getBackwardStart(Value end) {
    if (!taped)
      return scope.primal(end);
    taped->recordUse(start, end);
    return taped->tape;
  }
  /// Says with which tape the backward op ends.
  void setBackwardEnd(Value end) {
    if (taped)
      taped->tape = end;
  }
  /// Says that the op needs no tape.
  void drop() {
    if (!taped)
      scope.function.garbage.push_back(start.getDefiningOp());
  }

private:
  ReverseScope &scope;
  TapedScope *taped;
  Value start;
};
} // namespace

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

namespace {
/// One side of a branch and its reverse.
struct Side {
  Region *forward;
  Region *region;
  std::unique_ptr<TapedScope> scope;
};
} // namespace

/// Builds the reverse of one side; the backward tape's start is `tape`.
static LogicalResult reverseSide(ReverseMode &mode, ReverseScope &parent,
                                 Side &side, ValueRange results, Value tape) {
  Block *backward = new Block;
  side.region = parent.function.createRegion();
  side.region->push_back(backward);
  Block &forward = side.forward->front();
  side.scope = std::make_unique<TapedScope>(parent.function, &parent, &forward,
                                            backward, tape);
  side.scope->inheritsCotangents = true;
  for (auto [yielded, result] :
       llvm::zip(forward.getTerminator()->getOperands(), results))
    if (failed(side.scope->accumulate(yielded, parent.cotangent(result))))
      return failure();
  return mode.reverse(*side.scope);
}

/// Replaces a branch by one with a tape as its last result.
static scf::IfOp addTapeResult(ReverseScope &scope, scf::IfOp op,
                               MutableArrayRef<Side> sides, Value start) {
  OpBuilder builder(op);
  SmallVector<Type> types(op.getResultTypes());
  types.push_back(start.getType());
  auto branch = scf::IfOp::create(builder, op.getLoc(), types, op.getCondition(),
                                  /*addThenBlock=*/false, /*addElseBlock=*/false);
  branch.getThenRegion().takeBody(op.getThenRegion());
  branch.getElseRegion().takeBody(op.getElseRegion());
  for (Side &side : sides) {
    Operation *terminator = side.scope->forward->getTerminator();
    Value end = side.scope->finishForward(start);
    terminator->insertOperands(terminator->getNumOperands(), end);
  }
  scope.replaceForward(op, branch.getResults().drop_back());
  return branch;
}

LogicalResult mindir::reverseIf(ReverseMode &mode, ReverseScope &scope,
                                scf::IfOp op) {
  Location loc = op.getLoc();
  TapeLink link(scope, op);
  Value placeholder = createTapePlaceholder(scope.function, scope.builder, loc);
  Side sides[2];
  sides[0].forward = &op.getThenRegion();
  sides[1].forward = &op.getElseRegion();
  for (Side &side : sides)
    if (failed(reverseSide(mode, scope, side, op.getResults(), placeholder)))
      return failure();

  llvm::SetVector<Value> captured;
  for (Side &side : sides) {
    auto hasCotangent = [&](Value value) {
      return scope.isActive(value) && side.scope->cotangent(value);
    };
    captured.insert_range(getCaptured(*side.scope->forward, hasCotangent));
  }
  SmallVector<Type> types;
  for (Value value : captured)
    types.push_back(value.getType());
  bool usesTape = llvm::any_of(
      sides, [](Side &side) { return side.scope->usesTape(); });
  for (Side &side : sides) {
    SmallVector<Value> yielded;
    for (Value value : captured)
      yielded.push_back(side.scope->cotangentOrZero(value));
    // A zero may have asked for a size.
    usesTape |= side.scope->usesTape();
    scf::YieldOp::create(side.scope->builder, loc, yielded);
  }

  Value condition = scope.primal(op.getCondition());
  Value tapeStart;
  if (usesTape) {
    scf::IfOp branch = addTapeResult(scope, op, sides, link.getForwardStart());
    tapeStart = link.getBackwardStart(branch.getResults().back());
    types.push_back(placeholder.getType());
  } else {
    link.drop();
  }
  for (Side &side : sides) {
    Value end = side.scope->finishBackward();
    if (usesTape) {
      Operation *terminator = side.scope->backward->getTerminator();
      terminator->insertOperands(terminator->getNumOperands(), end);
    }
  }
  if (usesTape)
    placeholder.replaceAllUsesWith(tapeStart);
  auto back = scf::IfOp::create(scope.builder, loc, types, condition,
                                /*addThenBlock=*/false, /*addElseBlock=*/false);
  back.getThenRegion().takeBody(*sides[0].region);
  back.getElseRegion().takeBody(*sides[1].region);
  for (auto [value, result] : llvm::zip(captured, back.getResults()))
    scope.setCotangent(value, result);
  if (usesTape)
    link.setBackwardEnd(back.getResults().back());
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
/// The reverse of a loop: a counted loop over the cotangents of the carried values
/// that matter, of the captured values, and the tape.
class LoopReverse {
public:
  /// `carried` are the forward body's arguments, one per result of `op`, and
  /// `yielded` what the body gives for the next iteration.
  LoopReverse(ReverseScope &scope, Operation *op, Block &body,
              ValueRange carried, ValueRange yielded)
      : scope(scope), op(op), body(body), carried(carried), yielded(yielded),
        link(scope, op) {}

  /// Decides which cotangents are carried and builds the backward body; `prepare`
  /// is given its scope and the number of the backward iteration.
  LogicalResult buildBody(ReverseMode &mode,
                          function_ref<void(TapedScope &, Value)> prepare);
  /// Builds the backward loop of `count` iterations; the forward loop has been given
  /// its tape, which ends as `tapeEnd` (null without one). Cotangents of initial
  /// values go to `inits`.
  LogicalResult buildLoop(Value count, Value tapeEnd, ValueRange inits);

  TapedScope &getBodyScope() { return *bodyScope; }
  Value getTapeStart() const { return link.getForwardStart(); }
  bool usesTape() const { return bodyScope->usesTape(); }
  void dropTape() { link.drop(); }

private:
  void selectCarried();
  void fillBackwardBlock();
  void yieldCotangents();

  ReverseScope &scope;
  Operation *op;
  Block &body;
  SmallVector<Value> carried, yielded;
  TapeLink link;
  SmallVector<unsigned> selected;    // carried values whose cotangent matters
  llvm::SetVector<Value> captured;   // values from outside, likewise
  SmallVector<Value> backwardInits;
  Region *region = nullptr;
  Block *backward = nullptr;
  std::unique_ptr<TapedScope> bodyScope;
};
} // namespace

/// A carried value matters if it does after the loop, or if one that matters is
/// computed from it.
void LoopReverse::selectCarried() {
  llvm::SmallDenseSet<unsigned> chosen;
  for (unsigned i = 0; i < carried.size(); ++i)
    if (scope.cotangent(op->getResult(i)))
      chosen.insert(i);
  llvm::DenseSet<Value> useful;
  for (size_t before = ~size_t(0); before != chosen.size();) {
    before = chosen.size();
    SmallVector<Value> seeds;
    for (unsigned i : chosen)
      seeds.push_back(yielded[i]);
    useful = computeUseful(body, seeds, scope.function.varied);
    for (auto [i, value] : llvm::enumerate(carried))
      if (useful.contains(value))
        chosen.insert(i);
  }
  for (unsigned i = 0; i < carried.size(); ++i)
    if (chosen.contains(i))
      selected.push_back(i);
  captured = getCaptured(body, [&](Value v) { return useful.contains(v); });
}

/// Arguments: the iteration, cotangents of selected and captured values, the tape.
void LoopReverse::fillBackwardBlock() {
  Location loc = op->getLoc();
  backward = new Block;
  region = scope.function.createRegion();
  region->push_back(backward);
  backward->addArgument(scope.builder.getIndexType(), loc);
  for (unsigned i : selected)
    backward->addArgument(carried[i].getType(), loc);
  for (Value value : captured)
    backward->addArgument(value.getType(), loc);
  backward->addArgument(link.getForwardStart().getType(), loc);
}

LogicalResult
LoopReverse::buildBody(ReverseMode &mode,
                       function_ref<void(TapedScope &, Value)> prepare) {
  selectCarried();
  fillBackwardBlock();
  bodyScope = std::make_unique<TapedScope>(scope.function, &scope, &body, backward,
                                           backward->getArguments().back());
  prepare(*bodyScope, backward->getArgument(0));
  ValueRange arguments = backward->getArguments().drop_front();
  for (auto [value, argument] :
       llvm::zip(captured, arguments.drop_front(selected.size())))
    bodyScope->setCotangent(value, argument);
  for (auto [i, argument] : llvm::zip(selected, arguments))
    if (failed(bodyScope->accumulate(yielded[i], argument)))
      return failure();
  if (failed(mode.reverse(*bodyScope)))
    return failure();
  for (unsigned i : selected)
    backwardInits.push_back(scope.cotangentOrZero(op->getResult(i)));
  yieldCotangents();
  return success();
}

void LoopReverse::yieldCotangents() {
  SmallVector<Value> cotangents;
  for (unsigned i : selected)
    cotangents.push_back(bodyScope->cotangentOrZero(carried[i]));
  for (Value value : captured)
    cotangents.push_back(bodyScope->cotangent(value));
  scf::YieldOp::create(bodyScope->builder, op->getLoc(), cotangents);
}

LogicalResult LoopReverse::buildLoop(Value count, Value tapeEnd,
                                     ValueRange inits) {
  Location loc = op->getLoc();
  OpBuilder &builder = scope.builder;
  Value tape = bodyScope->finishBackward();
  SmallVector<Value> starts(backwardInits);
  for (Value value : captured)
    starts.push_back(scope.cotangentOrZero(value));
  if (tapeEnd) {
    starts.push_back(link.getBackwardStart(tapeEnd));
    Operation *terminator = backward->getTerminator();
    terminator->insertOperands(terminator->getNumOperands(), tape);
  } else {
    backward->eraseArgument(backward->getNumArguments() - 1);
  }
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ForOp::create(builder, loc, zero, count, one, starts);
  loop.getRegion().takeBody(*region);
  ValueRange results = loop.getResults();
  for (auto [value, result] :
       llvm::zip(captured, results.drop_front(selected.size())))
    scope.setCotangent(value, result);
  for (auto [i, result] : llvm::zip(selected, results))
    if (failed(scope.accumulate(inits[i], result)))
      return failure();
  if (tapeEnd)
    link.setBackwardEnd(results.back());
  return success();
}

/// The number of iterations of a counted loop, as an index, before it.
static Value buildTripCount(scf::ForOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type type = op.getLowerBound().getType();
  Value span = builder.createOrFold<arith::SubIOp>(loc, op.getUpperBound(),
                                                   op.getLowerBound());
  Value count = builder.createOrFold<arith::CeilDivSIOp>(loc, span, op.getStep());
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  count = builder.createOrFold<arith::MaxSIOp>(loc, count, zero);
  return type.isIndex() ? count
                        : builder.createOrFold<arith::IndexCastOp>(
                              loc, builder.getIndexType(), count);
}

/// Replaces a counted loop by one that carries a tape too; returns its end.
static Value addTape(ReverseScope &scope, scf::ForOp op, TapedScope &body,
                     Value start) {
  OpBuilder builder(op);
  SmallVector<Value> inits(op.getInitArgs());
  inits.push_back(start);
  auto loop = scf::ForOp::create(builder, op.getLoc(), op.getLowerBound(),
                                 op.getUpperBound(), op.getStep(), inits);
  loop.getRegion().takeBody(op.getRegion());
  Value tape = loop.getBody()->addArgument(start.getType(), op.getLoc());
  Operation *terminator = loop.getBody()->getTerminator();
  Value end = body.finishForward(tape);
  terminator->insertOperands(terminator->getNumOperands(), end);
  scope.replaceForward(op, loop.getResults().drop_back());
  return loop.getResults().back();
}

LogicalResult mindir::reverseFor(ReverseMode &mode, ReverseScope &scope,
                                 scf::ForOp op) {
  Location loc = op.getLoc();
  Value count = scope.primal(buildTripCount(op));
  Value lower = scope.primal(op.getLowerBound());
  Value step = scope.primal(op.getStep());
  SmallVector<Value> inits(op.getInitArgs());
  LoopReverse reverse(scope, op, *op.getBody(), op.getRegionIterArgs(),
                      op.getYieldedValues());
  // Backward iteration i undoes forward iteration count - 1 - i.
  auto prepare = [&](TapedScope &body, Value iteration) {
    OpBuilder &builder = body.builder;
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value last = arith::SubIOp::create(builder, loc, count, one);
    Value number = arith::SubIOp::create(builder, loc, last, iteration);
    if (number.getType() != step.getType())
      number = arith::IndexCastOp::create(builder, loc, step.getType(), number);
    Value offset = arith::MulIOp::create(builder, loc, number, step);
    body.setPrimal(op.getInductionVar(),
                   arith::AddIOp::create(builder, loc, lower, offset));
  };
  if (failed(reverse.buildBody(mode, prepare)))
    return failure();
  Value tapeEnd;
  if (reverse.usesTape())
    tapeEnd = addTape(scope, op, reverse.getBodyScope(), reverse.getTapeStart());
  else
    reverse.dropTape();
  return reverse.buildLoop(count, tapeEnd, inits);
}

/// Replaces an uncounted loop (in the form that `rotateLoops` makes) by one that
/// counts its iterations as i64 and, with a tape to start with, carries that too.
static scf::WhileOp addCounter(ReverseScope &scope, scf::WhileOp op,
                               TapedScope &body, Value tape) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<Value> inits(op.getInits());
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 64);
  inits.push_back(zero);
  if (tape)
    inits.push_back(tape);
  SmallVector<Type> types;
  for (Value init : inits)
    types.push_back(init.getType());
  auto loop = scf::WhileOp::create(builder, loc, types, inits);
  loop.getBefore().takeBody(op.getBefore());
  loop.getAfter().takeBody(op.getAfter());
  auto handOn = [&](Type type) {
    Value argument = loop.getBeforeBody()->addArgument(type, loc);
    loop.getConditionOp().getArgsMutable().append(argument);
    return loop.getAfterBody()->addArgument(type, loc);
  };
  Operation *terminator = loop.getAfterBody()->getTerminator();
  builder.setInsertionPoint(terminator);
  Value one = arith::ConstantIntOp::create(builder, loc, 1, 64);
  SmallVector<Value> next{
      arith::AddIOp::create(builder, loc, handOn(zero.getType()), one)};
  if (tape)
    next.push_back(body.finishForward(handOn(tape.getType())));
  terminator->insertOperands(terminator->getNumOperands(), next);
  scope.replaceForward(op, loop.getResults().take_front(op.getNumResults()));
  return loop;
}

LogicalResult mindir::reverseWhile(ReverseMode &mode, ReverseScope &scope,
                                   scf::WhileOp op) {
  SmallVector<Value> inits(op.getInits());
  unsigned numResults = op.getNumResults();
  LoopReverse reverse(scope, op, *op.getAfterBody(), op.getAfterArguments(),
                      op.getYieldedValues());
  if (failed(reverse.buildBody(mode, [](TapedScope &, Value) {})))
    return failure();
  bool usesTape = reverse.usesTape();
  if (!usesTape)
    reverse.dropTape();
  scf::WhileOp loop = addCounter(scope, op, reverse.getBodyScope(),
                                 usesTape ? reverse.getTapeStart() : Value());
  Value counted = loop.getResult(numResults);
  OpBuilder after(op->getContext());
  after.setInsertionPointAfter(loop);
  Value count = scope.primal(arith::IndexCastOp::create(
      after, op.getLoc(), after.getIndexType(), counted));
  return reverse.buildLoop(count, usesTape ? loop.getResults().back() : Value(),
                           inits);
}
