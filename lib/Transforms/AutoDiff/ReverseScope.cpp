//===- ReverseScope.cpp - one block of forward code and its reverse -------===//
//
// Cotangents and residuals of a block. A residual is made when a rule first asks
// for it, by an edit of the forward code that later edits follow by its uses.
//
//===----------------------------------------------------------------------===//

#include "ReverseScope.h"
#include "ValueUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::mindir;

void ReverseFunction::eraseGarbage() {
  for (Operation *op : garbage) {
    op->dropAllUses();
    op->erase();
  }
  garbage.clear();
}

void ReverseFunction::abandon() {
  garbage.clear();
  for (auto &region : regions)
    region->dropAllReferences();
  regions.clear();
}

ReverseScope::ReverseScope(ReverseFunction &function, ReverseScope *parent,
                           Block *forward, Block *backward)
    : function(function), parent(parent), forward(forward), backward(backward),
      builder(forward->getParentOp()->getContext()) {
  // The backward block has no parent yet, which the builders' helpers ask for.
  builder.setInsertionPointToEnd(backward);
}

//===----------------------------------------------------------------------===//
// Primal values
//===----------------------------------------------------------------------===//

ReverseScope &ReverseScope::getOwner(Value value) {
  ReverseScope *scope = this;
  while (scope->parent && value.getParentBlock() != scope->forward)
    scope = scope->parent;
  return *scope;
}

/// Whether computing the op again costs less than keeping its result.
static bool isCheap(Operation *op) {
  return op && (op->hasTrait<OpTrait::ConstantLike>() ||
                isa<IotaOp, BroadcastToOp, ReshapeOp, StopGradientOp,
                    tensor::CastOp>(op));
}

Value ReverseScope::recompute(Value value) {
  Operation *op = value.getDefiningOp();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(primal(operand));
  Operation *clone = builder.clone(*op);
  clone->setOperands(operands);
  return clone->getResult(0);
}

Value ReverseScope::primal(Value value) {
  ReverseScope &owner = getOwner(value);
  auto known = owner.primals.find(value);
  if (known != owner.primals.end())
    return known->second;
  if (isCheap(value.getDefiningOp()))
    return recompute(value);
  if (isa<RankedTensorType, TapeType>(value.getType()))
    return owner.primals[value] = owner.save(value);
  Value packed = owner.saveScalar(value);
  Value scalar = tensor::ExtractOp::create(builder, value.getLoc(), packed,
                                           ValueRange{});
  if (scalar.getType() != value.getType())
    scalar = arith::IndexCastOp::create(builder, value.getLoc(),
                                        value.getType(), scalar);
  return scalar;
}

/// Scalars are kept as 0-d tensors, an index as i64.
Value ReverseScope::saveScalar(Value value) {
  auto known = packedScalars.find(value);
  if (known != packedScalars.end())
    return known->second;
  OpBuilder at(value.getContext());
  at.setInsertionPointAfterValue(value);
  Value scalar = value;
  if (value.getType().isIndex())
    scalar = arith::IndexCastOp::create(at, value.getLoc(), at.getI64Type(),
                                        value);
  Value packed = tensor::FromElementsOp::create(
      at, value.getLoc(), RankedTensorType::get({}, scalar.getType()), scalar);
  return packedScalars[value] = save(packed);
}

Value ReverseScope::primalDim(Value value, int64_t dim) {
  Location loc = value.getLoc();
  auto type = cast<RankedTensorType>(value.getType());
  if (!type.isDynamicDim(dim))
    return arith::ConstantIndexOp::create(builder, loc, type.getDimSize(dim));
  ReverseScope &owner = getOwner(value);
  auto known = owner.primals.find(value);
  if (known != owner.primals.end())
    return tensor::DimOp::create(builder, loc, known->second, dim);
  // A dimension that was asked for before has its op next to the value.
  for (Operation *user : value.getUsers())
    if (auto op = dyn_cast<tensor::DimOp>(user))
      if (op.getConstantIndex() == dim && op->getBlock() == value.getParentBlock())
        return primal(op);
  OpBuilder at(value.getContext());
  at.setInsertionPointAfterValue(value);
  return primal(tensor::DimOp::create(at, loc, value, dim));
}

Value ReverseScope::zero(Value value) {
  return buildZero(builder, value.getLoc(), value.getType(),
                   [&](int64_t dim) { return primalDim(value, dim); });
}

void ReverseScope::replaceForward(Operation *op, ValueRange values) {
  for (auto [result, value] : llvm::zip(op->getResults(), values)) {
    auto known = primals.find(result);
    if (known != primals.end()) {
      Value primal = known->second;
      primals[value] = primal;
    }
    result.replaceAllUsesWith(value);
  }
  function.garbage.push_back(op);
}

//===----------------------------------------------------------------------===//
// Cotangents
//===----------------------------------------------------------------------===//

Value ReverseScope::cotangent(Value value) {
  auto known = cotangents.find(value);
  if (known != cotangents.end())
    return known->second;
  bool isOuter = value.getParentBlock() != forward;
  return isOuter && inheritsCotangents ? parent->cotangent(value) : Value();
}

Value ReverseScope::cotangentOrZero(Value value) {
  Value known = cotangent(value);
  return known ? known : zero(value);
}

LogicalResult ReverseScope::accumulate(Value value, Value cotangent) {
  if (!cotangent || !isActive(value))
    return success();
  Location loc = value.getLoc();
  cotangent = castTo(builder, loc, cotangent, value.getType());
  Value sum = this->cotangent(value);
  if (!sum) {
    bool isOuter = value.getParentBlock() != forward;
    if (isOuter && parent && !inheritsCotangents)
      return emitError(loc, "internal error: a loop's derivative reaches a value "
                            "from outside that activity analysis left out");
    cotangents[value] = cotangent;
    return success();
  }
  if (value.getDefiningOp<TapeEmptyOp>()) // both hold nothing
    return success();
  if (!isa<RankedTensorType>(value.getType()))
    return emitError(loc, "ValueError: expected a value of type ")
           << value.getType()
           << " to be used once on the path of a derivative, but it is used "
              "again; only tensors can be";
  cotangents[value] = AddOp::create(builder, loc, sum, cotangent);
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

FunctionScope::FunctionScope(ReverseFunction &function, func::FuncOp forward,
                             Block *backward)
    : ReverseScope(function, nullptr, &forward.front(), backward),
      numResults(forward.getNumResults()) {
  for (unsigned i = 0; i < numResults; ++i)
    if (auto index = forward.getResultAttrOfType<IntegerAttr>(i, "mindir.updates")) {
      updates.insert(i);
      overwritten.insert(index.getInt());
    }
}

ResidualSource FunctionScope::findSource(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && !overwritten.contains(argument.getArgNumber()))
    return {ResidualSource::Kind::Argument, argument.getArgNumber()};
  Operation *terminator = forward->getTerminator();
  for (unsigned i = 0; i < numResults && !argument; ++i)
    if (terminator->getOperand(i) == value && !updates.contains(i))
      return {ResidualSource::Kind::Result, i};
  unsigned index = terminator->getNumOperands();
  terminator->insertOperands(index, value);
  return {ResidualSource::Kind::Residual, index};
}

Value FunctionScope::save(Value value) {
  sources.push_back(findSource(value));
  return backward->insertArgument(sources.size() - 1, value.getType(),
                                  value.getLoc());
}

//===----------------------------------------------------------------------===//
// Tapes
//===----------------------------------------------------------------------===//

Value mindir::createTapePlaceholder(ReverseFunction &function,
                                    OpBuilder &builder, Location loc) {
  auto placeholder = TapeEmptyOp::create(builder, loc);
  function.garbage.push_back(placeholder);
  return placeholder;
}

TapedScope::TapedScope(ReverseFunction &function, ReverseScope *parent,
                       Block *forward, Block *backward, Value backwardStart)
    : ReverseScope(function, parent, forward, backward),
      backwardStart(backwardStart) {
  Location loc = forward->getParentOp()->getLoc();
  tape = createTapePlaceholder(function, builder, loc);
  afterPops = tape.getDefiningOp();
  OpBuilder at(forward->getTerminator());
  pushStart = createTapePlaceholder(function, at, loc).getDefiningOp();
}

/// Residuals are pushed at the end of the forward block, in order of request, and
/// popped at the start of the backward block, the last one first.
Value TapedScope::save(Value value) {
  OpBuilder push(forward->getTerminator());
  Value top = pushStart->getResult(0);
  if (lastPush)
    top = lastPush.getNewTape();
  lastPush = TapePushOp::create(push, value.getLoc(), top, value);
  if (!firstPush)
    firstPush = lastPush;
  OpBuilder pop(value.getContext());
  pop.setInsertionPointToStart(backward);
  auto popped = TapePopOp::create(pop, value.getLoc(), backwardStart.getType(),
                                  value.getType(), backwardStart);
  if (firstPop)
    firstPop.getTapeMutable().set(popped.getNewTape());
  else
    lastPop = popped;
  firstPop = popped;
  return popped.getValue();
}

Value TapedScope::finishForward(Value start) {
  for (auto [placeholder, next] : llvm::reverse(uses)) {
    placeholder.replaceAllUsesWith(start);
    start = next;
  }
  pushStart->getResult(0).replaceAllUsesWith(start);
  return lastPush ? Value(lastPush.getNewTape()) : start;
}

Value TapedScope::finishBackward() {
  Value popped = lastPop ? Value(lastPop.getNewTape()) : backwardStart;
  if (tape == afterPops->getResult(0))
    tape = popped;
  afterPops->getResult(0).replaceAllUsesWith(popped);
  return tape;
}
