//===- VMap.cpp - functions over a leading dimension ----------------------===//
//
// Builds the function over lanes op by op. Where lanes disagree on a condition, both
// sides of a branch are computed and selected from, and a loop goes on until no lane
// does, lanes that are done keeping their values.
//
//===----------------------------------------------------------------------===//

#include "VMap.h"
#include "ReverseMode.h"
#include "Rules/RuleSupport.h"

#include "mindir/Interfaces/BatchableOpInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::mindir;

RankedTensorType mindir::getBatchedType(Type type, int64_t size) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return RankedTensorType::get({size}, type);
  SmallVector<int64_t> shape{size};
  llvm::append_range(shape, tensor.getShape());
  return RankedTensorType::get(shape, tensor.getElementType());
}

namespace {
/// The body of one function over lanes. `mapping` leads from values of the primal
/// function to those being built; what `batched` holds has the leading dimension.
class LaneBody {
public:
  LaneBody(VMapMode &mode, func::FuncOp primal, func::FuncOp function,
           ArrayRef<unsigned> wrt, int64_t size)
      : mode(mode), size(size), batched(computeBatched(primal, wrt)),
        builder(OpBuilder::atBlockBegin(function.addEntryBlock())) {
    Block &entry = function.front();
    mapping.map(primal.getArguments(), entry.getArguments());
    laneCount = buildDim(builder, primal.getLoc(),
                         entry.getArgument(wrt.front()), 0);
  }

  LogicalResult visit(Block &block);
  /// The value over lanes; one that all lanes share is repeated.
  Value getBatched(Value value);
  SmallVector<Value> getBatched(ValueRange values);

  OpBuilder &getBuilder() { return builder; }

private:
  LogicalResult visit(Operation *op);
  LogicalResult visitBatched(Operation *op);
  LogicalResult visitByRule(Operation *op);
  LogicalResult visitDim(tensor::DimOp op);
  LogicalResult visitCall(func::CallOp op);
  template <typename Op> LogicalResult visitDerivative(Op op, unsigned numCotangents);
  LogicalResult visitElementwise(Operation *op);
  LogicalResult visitIf(scf::IfOp op);
  LogicalResult visitUniformIf(scf::IfOp op);
  LogicalResult visitFor(scf::ForOp op);
  LogicalResult visitWhile(scf::WhileOp op);

  bool isBatched(Value value) const { return batched.contains(value); }
  /// The value in the form that `like`, its place after a join, has.
  Value getLike(Value value, Value like) {
    return isBatched(like) ? getBatched(value) : mapping.lookup(value);
  }
  SmallVector<Value> getLike(ValueRange values, ValueRange like);
  Type getType(Value value) const {
    return isBatched(value) ? getBatchedType(value.getType(), size)
                            : value.getType();
  }
  /// Adds a block to a region, with arguments for those of `primal`.
  Block *addBlock(Region &region, Block &primal);
  /// Chooses by lane; `mask` is a vector of bools.
  Value selectLanes(Location loc, Value mask, Value a, Value b);
  void cloneShared(Operation *op);

  VMapMode &mode;
  int64_t size;
  llvm::DenseSet<Value> batched;
  IRMapping mapping;
  OpBuilder builder;
  Value laneCount;
};
} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value LaneBody::getBatched(Value value) {
  Value mapped = mapping.lookup(value);
  if (isBatched(value))
    return mapped;
  Location loc = value.getLoc();
  Arith a(builder, loc);
  if (!isa<RankedTensorType>(mapped.getType()))
    mapped = tensor::FromElementsOp::create(
        builder, loc, RankedTensorType::get({}, mapped.getType()), mapped);
  Value shared = mapped;
  return broadcastTo(a, insertUnitDims(a, shared, {0}),
                     getBatchedType(shared.getType(), size), [&](int64_t i) {
                       return i == 0 ? laneCount
                                     : buildDim(builder, loc, shared, i - 1);
                     });
}

SmallVector<Value> LaneBody::getBatched(ValueRange values) {
  SmallVector<Value> mapped;
  for (Value value : values)
    mapped.push_back(getBatched(value));
  return mapped;
}

SmallVector<Value> LaneBody::getLike(ValueRange values, ValueRange like) {
  SmallVector<Value> mapped;
  for (auto [value, target] : llvm::zip(values, like))
    mapped.push_back(getLike(value, target));
  return mapped;
}

Block *LaneBody::addBlock(Region &region, Block &primal) {
  Block *block = new Block;
  region.push_back(block);
  for (BlockArgument argument : primal.getArguments())
    mapping.map(argument, block->addArgument(getType(argument), argument.getLoc()));
  return block;
}

Value LaneBody::selectLanes(Location loc, Value mask, Value a, Value b) {
  Arith arith(builder, loc);
  return arith.select(broadcastAlong(arith, mask, 0,
                                     CompareOp::create(builder, loc,
                                                       ComparePredicate::eq, a, a)),
                      a, b);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

void LaneBody::cloneShared(Operation *op) { builder.clone(*op, mapping); }

LogicalResult LaneBody::visit(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(visit(&op)))
      return failure();
  return success();
}

LogicalResult LaneBody::visit(Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](scf::IfOp branch) { return visitIf(branch); })
      .Case([&](scf::ForOp loop) { return visitFor(loop); })
      .Case([&](scf::WhileOp loop) { return visitWhile(loop); })
      .Case([&](tensor::DimOp dim) { return visitDim(dim); })
      .Case<RandomBitsOp, RandomUniformOp, RandomNormalOp>(
          [&](auto) { return visitByRule(op); })
      .Default([&](Operation *) {
        if (llvm::any_of(op->getOperands(), [&](Value v) { return isBatched(v); }))
          return visitBatched(op);
        cloneShared(op);
        return success();
      });
}

LogicalResult LaneBody::visitBatched(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return visitCall(call);
  if (auto vjp = dyn_cast<VJPOp>(op))
    return visitDerivative(vjp, 0);
  if (auto jvp = dyn_cast<JVPOp>(op))
    return visitDerivative(jvp, jvp.getWrt().size());
  if (op->hasTrait<OpTrait::Elementwise>() && isa<MindIRDialect>(op->getDialect()))
    return visitElementwise(op);
  // A scalar over lanes is the vector that it is taken from.
  bool isScalarAccess = isa<tensor::ExtractOp, tensor::FromElementsOp>(op) &&
                        op->getNumOperands() == 1;
  if (isScalarAccess) {
    mapping.map(op->getResult(0), mapping.lookup(op->getOperand(0)));
    return success();
  }
  return visitByRule(op);
}

LogicalResult LaneBody::visitByRule(Operation *op) {
  auto rules = dyn_cast<BatchableOpInterface>(op);
  if (!rules)
    return emitNoRule(op, "vmap");
  SmallVector<Value> operands, results;
  SmallVector<bool> flags;
  for (Value operand : op->getOperands()) {
    operands.push_back(mapping.lookup(operand));
    flags.push_back(isBatched(operand));
  }
  OpFoldResult count = laneCount;
  if (!ShapedType::isDynamic(size))
    count = builder.getIndexAttr(size);
  if (failed(rules.buildBatched(builder, operands, flags, count, results)))
    return failure();
  for (auto [result, value] : llvm::zip(op->getResults(), results))
    mapping.map(result, castTo(builder, op->getLoc(), value, getType(result)));
  return success();
}

LogicalResult LaneBody::visitElementwise(Operation *op) {
  OperationState state(op->getLoc(), op->getName(), getBatched(op->getOperands()),
                       {getType(op->getResult(0))}, op->getAttrs());
  mapping.map(op->getResult(0), builder.create(state)->getResult(0));
  return success();
}

LogicalResult LaneBody::visitDim(tensor::DimOp op) {
  if (!isBatched(op.getSource())) {
    cloneShared(op);
    return success();
  }
  Location loc = op.getLoc();
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value index = arith::AddIOp::create(builder, loc, mapping.lookup(op.getIndex()), one);
  mapping.map(op.getResult(),
              tensor::DimOp::create(builder, loc, mapping.lookup(op.getSource()), index));
  return success();
}

LogicalResult LaneBody::visitCall(func::CallOp op) {
  auto callee = mode.getSymbols().lookup<func::FuncOp>(op.getCallee());
  SmallVector<unsigned> wrt;
  SmallVector<Value> operands;
  for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
    if (isBatched(operand))
      wrt.push_back(i);
    operands.push_back(mapping.lookup(operand));
  }
  auto derived = mode.derive(callee, wrt, size);
  if (failed(derived))
    return failure();
  auto call = func::CallOp::create(builder, op.getLoc(), *derived, operands);
  mapping.map(op.getResults(), call.getResults());
  return success();
}

/// A derivative over lanes is the derivative of the function over lanes, every lane
/// having its own arguments to differentiate by and its own (co)tangents.
template <typename Op>
LogicalResult LaneBody::visitDerivative(Op op, unsigned numTangents) {
  auto callee = mode.getSymbols().lookup<func::FuncOp>(op.getCallee());
  SmallVector<unsigned> wrt;
  SmallVector<Value> operands;
  unsigned numInputs = callee.getNumArguments();
  for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
    bool overLanes =
        i >= numInputs || isBatched(operand) || llvm::is_contained(op.getWrt(), i);
    if (overLanes && i < numInputs)
      wrt.push_back(i);
    operands.push_back(overLanes ? getBatched(operand) : mapping.lookup(operand));
  }
  auto derived = mode.derive(callee, wrt, size);
  if (failed(derived))
    return failure();
  SmallVector<Type> types;
  for (Value result : op.getResults())
    types.push_back(getType(result));
  auto lanes = Op::create(builder, op.getLoc(), types, derived->getSymName(),
                          operands, op.getWrt());
  mapping.map(op.getResults(), lanes.getResults());
  return success();
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Lanes disagree: both sides are computed.
LogicalResult LaneBody::visitIf(scf::IfOp op) {
  if (!isBatched(op.getCondition()))
    return visitUniformIf(op);
  for (Region &region : op->getRegions())
    if (!region.empty() && failed(visit(region.front())))
      return failure();
  if (op.getNumResults() == 0)
    return success();
  Value mask = mapping.lookup(op.getCondition());
  SmallVector<Value> onTrue = getBatched(op.thenYield().getResults());
  SmallVector<Value> onFalse = getBatched(op.elseYield().getResults());
  for (auto [result, a, b] : llvm::zip(op.getResults(), onTrue, onFalse)) {
    if (!isa<RankedTensorType>(result.getType()) ||
        !cast<RankedTensorType>(result.getType()).hasStaticShape())
      return op.emitError("TypeError: For 'if' under vmap with a condition that "
                          "differs between lanes, expected results of one known "
                          "shape, but got ")
             << result.getType();
    mapping.map(result, selectLanes(op.getLoc(), mask, a, b));
  }
  return success();
}

LogicalResult LaneBody::visitUniformIf(scf::IfOp op) {
  SmallVector<Type> types;
  for (Value result : op.getResults())
    types.push_back(getType(result));
  auto branch = scf::IfOp::create(builder, op.getLoc(), types,
                                  mapping.lookup(op.getCondition()),
                                  /*addThenBlock=*/false, /*addElseBlock=*/false);
  OpBuilder::InsertionGuard guard(builder);
  for (unsigned i : {0, 1}) {
    if (op->getRegion(i).empty())
      continue;
    Block &primal = op->getRegion(i).front();
    builder.setInsertionPointToEnd(addBlock(branch->getRegion(i), primal));
    if (failed(visit(primal)))
      return failure();
    scf::YieldOp::create(builder, op.getLoc(),
                         getLike(primal.getTerminator()->getOperands(),
                                 op.getResults()));
  }
  mapping.map(op.getResults(), branch.getResults());
  return success();
}

LogicalResult LaneBody::visitFor(scf::ForOp op) {
  for (Value bound : {op.getLowerBound(), op.getUpperBound(), op.getStep()})
    if (isBatched(bound))
      return op.emitError("TypeError: For 'for' under vmap, expected bounds that are "
                          "equal in all lanes, but they differ; use a while loop");
  auto loop = scf::ForOp::create(
      builder, op.getLoc(), mapping.lookup(op.getLowerBound()),
      mapping.lookup(op.getUpperBound()), mapping.lookup(op.getStep()),
      getLike(op.getInitArgs(), op.getRegionIterArgs()));
  OpBuilder::InsertionGuard guard(builder);
  loop.getRegion().getBlocks().clear();
  builder.setInsertionPointToEnd(addBlock(loop.getRegion(), *op.getBody()));
  if (failed(visit(*op.getBody())))
    return failure();
  scf::YieldOp::create(builder, op.getLoc(),
                       getLike(op.getYieldedValues(), op.getRegionIterArgs()));
  mapping.map(op.getResults(), loop.getResults());
  return success();
}

/// The loop is in the form that `rotateLoops` makes. Where lanes disagree, it goes on
/// while any lane does, and the mask of those goes to the body.
LogicalResult LaneBody::visitWhile(scf::WhileOp op) {
  Location loc = op.getLoc();
  bool isDivergent = isBatched(op.getConditionOp().getCondition());
  for (Value argument : op.getAfterArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (isDivergent && (!type || !type.hasStaticShape()))
      return op.emitError("TypeError: For 'while' under vmap with a condition that "
                          "differs between lanes, expected carried values of known "
                          "shape, but got ")
             << argument.getType();
  }
  SmallVector<Value> inits = getLike(op.getInits(), op.getBeforeArguments());
  SmallVector<Type> types;
  for (Value init : inits)
    types.push_back(init.getType());
  auto maskType = RankedTensorType::get({size}, builder.getI1Type());
  if (isDivergent)
    types.push_back(maskType);
  auto loop = scf::WhileOp::create(builder, loc, types, inits);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(addBlock(loop.getBefore(), *op.getBeforeBody()));
  if (failed(visit(*op.getBeforeBody())))
    return failure();
  Value condition = mapping.lookup(op.getConditionOp().getCondition());
  SmallVector<Value> handedOn(loop.getBeforeArguments());
  if (isDivergent) {
    handedOn.push_back(condition);
    Value any = ReduceMaxOp::create(builder, loc, condition, ArrayRef<int64_t>{0},
                                    false);
    condition = tensor::ExtractOp::create(builder, loc, any, ValueRange{});
  }
  scf::ConditionOp::create(builder, loc, condition, handedOn);

  Block *after = addBlock(loop.getAfter(), *op.getAfterBody());
  builder.setInsertionPointToEnd(after);
  if (failed(visit(*op.getAfterBody())))
    return failure();
  SmallVector<Value> next = getLike(op.getYieldedValues(), op.getBeforeArguments());
  if (isDivergent) {
    Value mask = after->addArgument(maskType, loc);
    for (auto [value, old] : llvm::zip(next, after->getArguments()))
      value = selectLanes(loc, mask, value, old);
  }
  scf::YieldOp::create(builder, loc, next);
  mapping.map(op.getResults(), loop.getResults().take_front(op.getNumResults()));
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

FailureOr<func::FuncOp> VMapMode::derive(func::FuncOp primal,
                                         ArrayRef<unsigned> batched,
                                         int64_t size) {
  Key key(primal, SmallVector<unsigned>(batched), size);
  auto found = known.find(key);
  if (found != known.end())
    return found->second;
  if (primal.isExternal() || batched.empty())
    return primal.emitError("TypeError: For 'vmap', expected a function with a body "
                            "and an argument to map over, but '")
           << primal.getSymName() << "' has none";
  SmallVector<Type> inputs(primal.getArgumentTypes()), results;
  for (unsigned i : batched)
    inputs[i] = getBatchedType(inputs[i], size);
  for (Type type : primal.getResultTypes()) {
    if (!isa<RankedTensorType>(type))
      return primal.emitError("TypeError: For 'vmap', expected results that are "
                              "tensors, but '")
             << primal.getSymName() << "' gives " << type;
    results.push_back(getBatchedType(type, size));
  }
  OpBuilder builder(primal.getContext());
  auto function = func::FuncOp::create(
      builder, primal.getLoc(), (primal.getSymName() + ".vmap").str(),
      builder.getFunctionType(inputs, results));
  function.setPrivate();
  symbols.insert(function, std::next(primal->getIterator()));
  known[key] = function;

  func::FuncOp rotated = primal.clone();
  rotateLoops(rotated);
  LaneBody body(*this, rotated, function, batched, size);
  LogicalResult result = body.visit(rotated.front());
  if (succeeded(result))
    func::ReturnOp::create(
        body.getBuilder(), primal.getLoc(),
        body.getBatched(rotated.front().getTerminator()->getOperands()));
  rotated.erase();
  if (succeeded(result))
    return function;
  symbols.erase(function);
  return failure();
}
