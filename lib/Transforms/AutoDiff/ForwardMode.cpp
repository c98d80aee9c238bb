//===- ForwardMode.cpp - functions of values and tangents -----------------===//
//
// The tangent function is a clone of the primal, into which tangent ops are inserted
// from first to last. Structured ops and calls get tangents as further operands and
// results.
//
//===----------------------------------------------------------------------===//

#include "ForwardMode.h"
#include "Activity.h"
#include "ReverseMode.h"
#include "ValueUtils.h"

#include "mindir/Interfaces/DifferentiableOpInterface.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::mindir;

//===----------------------------------------------------------------------===//
// Tangents
//===----------------------------------------------------------------------===//

TangentBody::~TangentBody() {
  for (Operation *op : llvm::reverse(garbage))
    op->erase();
}

void TangentBody::setTangent(Value value, Value tangent) {
  if (!tangent)
    return;
  if (tangent.getType() != value.getType()) {
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(tangent);
    tangent = castTo(builder, value.getLoc(), tangent, value.getType());
  }
  tangents[value] = tangent;
}

Value TangentBody::tangentOrZero(OpBuilder &builder, Value value) {
  if (Value known = tangent(value))
    return known;
  Location loc = value.getLoc();
  return buildZero(builder, loc, value.getType(), [&](int64_t dim) {
    return buildDim(builder, loc, value, dim);
  });
}

SmallVector<unsigned> TangentBody::selectVaried(ValueRange all) const {
  SmallVector<unsigned> selected;
  for (auto [i, value] : llvm::enumerate(all))
    if (isVaried(value))
      selected.push_back(i);
  return selected;
}

SmallVector<Value> TangentBody::getTangents(OpBuilder &builder, ValueRange all,
                                            ArrayRef<unsigned> selected) {
  SmallVector<Value> values;
  for (unsigned i : selected)
    values.push_back(tangentOrZero(builder, all[i]));
  return values;
}

void TangentBody::addTangentArguments(Block *block,
                                      ArrayRef<BlockArgument> arguments,
                                      ArrayRef<unsigned> selected) {
  for (unsigned i : selected)
    setTangent(arguments[i], block->addArgument(arguments[i].getType(),
                                                arguments[i].getLoc()));
}

void TangentBody::appendTangents(Operation *terminator, ValueRange values,
                                 ArrayRef<unsigned> selected) {
  OpBuilder builder(terminator);
  SmallVector<Value> added = getTangents(builder, values, selected);
  terminator->insertOperands(terminator->getNumOperands(), added);
}

void TangentBody::replace(Operation *op, Operation *by,
                          ArrayRef<unsigned> selected) {
  unsigned numResults = op->getNumResults();
  op->replaceAllUsesWith(by->getResults().take_front(numResults));
  for (auto [i, tangent] :
       llvm::zip(selected, by->getResults().drop_front(numResults)))
    setTangent(by->getResult(i), tangent);
  garbage.push_back(op);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

namespace {
class BodyJVPContext : public JVPContext {
public:
  BodyJVPContext(Operation *op, OpBuilder &builder, TangentBody &body)
      : JVPContext(op, builder), body(body) {}

  Value operand(unsigned i) override { return op->getOperand(i); }
  Value result(unsigned i) override { return op->getResult(i); }
  Value tangent(unsigned i) override { return body.tangent(op->getOperand(i)); }
  Value tangentOrZero(unsigned i) override {
    return body.tangentOrZero(builder, op->getOperand(i));
  }
  void set(unsigned i, Value tangent) override {
    body.setTangent(op->getResult(i), tangent);
  }

private:
  TangentBody &body;
};
} // namespace

LogicalResult TangentBody::visitByRule(Operation *op) {
  auto rules = dyn_cast<DifferentiableOpInterface>(op);
  if (!rules)
    return emitNoRule(op, "forward mode");
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  BodyJVPContext context(op, builder, *this);
  return rules.buildJVP(context);
}

LogicalResult TangentBody::visit(Operation *op) {
  if (llvm::none_of(op->getResults(), [&](Value v) { return isVaried(v); }))
    return success();
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](func::CallOp call) { return visitCall(call); })
      .Case([&](scf::IfOp branch) { return visitIf(branch); })
      .Case([&](scf::ForOp loop) { return visitFor(loop); })
      .Case([&](scf::WhileOp loop) { return visitWhile(loop); })
      .Case([&](TapeEmptyOp empty) {
        OpBuilder builder(op);
        setTangent(empty, TapeEmptyOp::create(builder, op->getLoc()));
        return success();
      })
      .Default([&](Operation *) {
        bool hasTangent = llvm::any_of(op->getOperands(), [&](Value operand) {
          return static_cast<bool>(tangent(operand));
        });
        return hasTangent ? visitByRule(op) : success();
      });
}

LogicalResult TangentBody::visit(Block &block) {
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    ops.push_back(&op);
  for (Operation *op : ops)
    if (failed(visit(op)))
      return failure();
  return success();
}

LogicalResult TangentBody::visitCall(func::CallOp op) {
  auto callee = symbols.lookup<func::FuncOp>(op.getCallee());
  SmallVector<unsigned> wrt;
  SmallVector<Value> arguments(op.getOperands());
  for (auto [i, operand] : llvm::enumerate(op.getOperands()))
    if (Value given = tangent(operand)) {
      wrt.push_back(i);
      arguments.push_back(given);
    }
  if (wrt.empty())
    return success();
  auto derived = mode.derive(callee, wrt);
  if (failed(derived))
    return failure();
  OpBuilder builder(op);
  auto call =
      func::CallOp::create(builder, op.getLoc(), derived->function, arguments);
  replace(op, call, derived->tangents);
  return success();
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

LogicalResult TangentBody::visitIf(scf::IfOp op) {
  SmallVector<unsigned> selected = selectVaried(op.getResults());
  SmallVector<Type> types(op.getResultTypes());
  for (unsigned i : selected)
    types.push_back(op.getResult(i).getType());
  OpBuilder builder(op);
  auto branch = scf::IfOp::create(builder, op.getLoc(), types, op.getCondition(),
                                  /*addThenBlock=*/false, /*addElseBlock=*/false);
  branch.getThenRegion().takeBody(op.getThenRegion());
  branch.getElseRegion().takeBody(op.getElseRegion());
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
    Block &block = region->front();
    if (failed(visit(block)))
      return failure();
    SmallVector<Value> yielded(block.getTerminator()->getOperands());
    appendTangents(block.getTerminator(), yielded, selected);
  }
  replace(op, branch, selected);
  return success();
}

LogicalResult TangentBody::visitFor(scf::ForOp op) {
  SmallVector<unsigned> selected = selectVaried(op.getRegionIterArgs());
  OpBuilder builder(op);
  SmallVector<Value> inits(op.getInitArgs());
  llvm::append_range(inits, getTangents(builder, op.getInitArgs(), selected));
  auto loop = scf::ForOp::create(builder, op.getLoc(), op.getLowerBound(),
                                 op.getUpperBound(), op.getStep(), inits);
  SmallVector<Value> yielded(op.getYieldedValues());
  loop.getRegion().takeBody(op.getRegion());
  Block *body = loop.getBody();
  SmallVector<BlockArgument> carried(body->getArguments().drop_front());
  addTangentArguments(body, carried, selected);
  if (failed(visit(*body)))
    return failure();
  yielded.assign(body->getTerminator()->getOperands().begin(),
                 body->getTerminator()->getOperands().end());
  appendTangents(body->getTerminator(), yielded, selected);
  replace(op, loop, selected);
  return success();
}

LogicalResult TangentBody::visitWhile(scf::WhileOp op) {
  SmallVector<unsigned> carried = selectVaried(op.getBeforeArguments());
  SmallVector<unsigned> handedOn = selectVaried(op.getAfterArguments());
  OpBuilder builder(op);
  SmallVector<Value> inits(op.getInits());
  llvm::append_range(inits, getTangents(builder, op.getInits(), carried));
  SmallVector<Type> types(op.getResultTypes());
  for (unsigned i : handedOn)
    types.push_back(op.getResult(i).getType());
  auto loop = scf::WhileOp::create(builder, op.getLoc(), types, inits);
  loop.getBefore().takeBody(op.getBefore());
  loop.getAfter().takeBody(op.getAfter());

  Block *before = loop.getBeforeBody(), *after = loop.getAfterBody();
  SmallVector<BlockArgument> beforeArguments(before->getArguments());
  addTangentArguments(before, beforeArguments, carried);
  if (failed(visit(*before)))
    return failure();
  SmallVector<Value> values(loop.getConditionOp().getArgs());
  appendTangents(before->getTerminator(), values, handedOn);
  SmallVector<BlockArgument> afterArguments(after->getArguments());
  addTangentArguments(after, afterArguments, handedOn);
  if (failed(visit(*after)))
    return failure();
  values.assign(after->getTerminator()->getOperands().begin(),
                after->getTerminator()->getOperands().end());
  appendTangents(after->getTerminator(), values, carried);
  replace(op, loop, handedOn);
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

FailureOr<TangentFunction> ForwardMode::derive(func::FuncOp primal,
                                               ArrayRef<unsigned> wrt) {
  std::pair<Operation *, SmallVector<unsigned>> key(primal, wrt);
  auto found = known.find(key);
  if (found != known.end())
    return found->second;
  if (primal.isExternal())
    return primal.emitError("TypeError: For '")
           << primal.getSymName()
           << "', expected a function with a body to differentiate, but it has "
              "none";
  TangentFunction derived;
  derived.function = primal.clone();
  derived.function.setSymName((primal.getSymName() + ".jvp").str());
  derived.function.setPrivate();
  symbols.insert(derived.function, std::next(primal->getIterator()));

  if (failed(build(derived, wrt, [&] { known[key] = derived; }))) {
    symbols.erase(derived.function);
    return failure();
  }
  return derived;
}

LogicalResult ForwardMode::build(TangentFunction &derived, ArrayRef<unsigned> wrt,
                                 function_ref<void()> declare) {
  func::FuncOp function = derived.function;
  Block &entry = function.front();
  TangentBody body(*this, symbols, computeVaried(function, wrt, /*allTapes=*/true));
  for (unsigned i : wrt) {
    unsigned index = function.getNumArguments();
    Type type = function.getArgument(i).getType();
    (void)function.insertArgument(index, type, {}, function.getLoc());
    body.setTangent(function.getArgument(i), entry.getArgument(index));
  }
  SmallVector<Value> returned(entry.getTerminator()->getOperands());
  for (auto [i, value] : llvm::enumerate(returned))
    if (body.isVaried(value)) {
      derived.tangents.push_back(i);
      (void)function.insertResult(function.getNumResults(), value.getType(), {});
    }
  declare(); // a recursive call finds the signature
  if (failed(body.visit(entry)))
    return failure();
  OpBuilder builder(entry.getTerminator());
  SmallVector<Value> tangents;
  for (unsigned i : derived.tangents)
    tangents.push_back(
        body.tangentOrZero(builder, entry.getTerminator()->getOperand(i)));
  entry.getTerminator()->insertOperands(returned.size(), tangents);
  return success();
}
