//===- ReverseMode.cpp - forward and backward functions -------------------===//
//
// The forward function is a clone of the primal. Its ops are visited last to first
// while the backward function grows; what rules ask for becomes a residual.
//
//===----------------------------------------------------------------------===//

#include "ReverseMode.h"
#include "Activity.h"
#include "ValueUtils.h"

#include "mindir/Interfaces/DifferentiableOpInterface.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

#include <tuple>

using namespace mlir;
using namespace mlir::mindir;

bool ReverseKey::operator<(const ReverseKey &other) const {
  return std::make_tuple(function.getValue(), ArrayRef<unsigned>(wrt),
                         ArrayRef<unsigned>(cotangents), isTaped) <
         std::make_tuple(other.function.getValue(),
                         ArrayRef<unsigned>(other.wrt),
                         ArrayRef<unsigned>(other.cotangents), other.isTaped);
}

LogicalResult mindir::emitNoRule(Operation *op, StringRef mode) {
  return op->emitError("TypeError: For '")
         << op->getName() << "', expected an op with a derivative, but it has "
         << "no rule for " << mode
         << "; stop the gradient before it, or build it from ops that have one";
}

//===----------------------------------------------------------------------===//
// One op
//===----------------------------------------------------------------------===//

namespace {
class ScopedVJPContext : public VJPContext {
public:
  ScopedVJPContext(Operation *op, ReverseScope &scope)
      : VJPContext(op, scope.builder), scope(scope) {}

  Value operand(unsigned i) override { return scope.primal(op->getOperand(i)); }
  Value result(unsigned i) override { return scope.primal(op->getResult(i)); }
  Value operandDim(unsigned i, int64_t dim) override {
    return scope.primalDim(op->getOperand(i), dim);
  }
  Value operandZero(unsigned i) override {
    return scope.zero(op->getOperand(i));
  }
  Value resultZero(unsigned i) override { return scope.zero(op->getResult(i)); }
  Value cotangent(unsigned i) override {
    return scope.cotangent(op->getResult(i));
  }
  bool needs(unsigned i) override { return scope.isActive(op->getOperand(i)); }
  void set(unsigned i, Value cotangent) override {
    if (failed(scope.accumulate(op->getOperand(i), cotangent)))
      hasFailed = true;
  }

  bool hasFailed = false;

private:
  ReverseScope &scope;
};
} // namespace

LogicalResult ReverseMode::reverseByRule(ReverseScope &scope, Operation *op) {
  auto rules = dyn_cast<DifferentiableOpInterface>(op);
  if (!rules)
    return emitNoRule(op, "reverse mode");
  ScopedVJPContext context(op, scope);
  return success(succeeded(rules.buildVJP(context)) && !context.hasFailed);
}

LogicalResult ReverseMode::reverse(ReverseScope &scope, Operation *op) {
  bool hasCotangent = llvm::any_of(op->getResults(), [&](Value result) {
    return static_cast<bool>(scope.cotangent(result));
  });
  if (!hasCotangent)
    return success();
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](func::CallOp call) { return reverseCall(scope, call); })
      .Case([&](scf::IfOp branch) { return reverseIf(*this, scope, branch); })
      .Case([&](scf::ForOp loop) { return reverseFor(*this, scope, loop); })
      .Case([&](scf::WhileOp loop) { return reverseWhile(*this, scope, loop); })
      .Default([&](Operation *) { return reverseByRule(scope, op); });
}

LogicalResult ReverseMode::reverse(ReverseScope &scope) {
  SmallVector<Operation *> ops;
  for (Operation &op : scope.forward->without_terminator())
    ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops))
    if (failed(reverse(scope, op)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Whether a function can reach itself by calls.
bool ReverseMode::isRecursive(func::FuncOp function) {
  llvm::SmallDenseSet<Operation *> seen;
  SmallVector<func::FuncOp> pending{function};
  while (!pending.empty()) {
    func::FuncOp next = pending.pop_back_val();
    WalkResult walk = next.walk([&](func::CallOp call) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (callee == function)
        return WalkResult::interrupt();
      if (callee && seen.insert(callee).second)
        pending.push_back(callee);
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return true;
  }
  return false;
}

LogicalResult ReverseMode::reverseCall(ReverseScope &scope, func::CallOp op) {
  auto callee = symbols.lookup<func::FuncOp>(op.getCallee());
  ReverseKey key;
  key.function = callee.getSymNameAttr();
  for (auto [i, operand] : llvm::enumerate(op.getOperands()))
    if (scope.isActive(operand))
      key.wrt.push_back(i);
  SmallVector<Value> cotangents;
  for (auto [i, result] : llvm::enumerate(op.getResults()))
    if (Value cotangent = scope.cotangent(result)) {
      key.cotangents.push_back(i);
      cotangents.push_back(cotangent);
    }
  auto *tapedScope = scope.isTaped() ? static_cast<TapedScope *>(&scope) : nullptr;
  key.isTaped = tapedScope || isRecursive(callee);
  auto pair = derive(key);
  if (failed(pair))
    return failure();

  // The forward call, in place of the primal one.
  OpBuilder at(op);
  SmallVector<Value> arguments(op.getOperands());
  if (tapedScope)
    arguments.push_back(createTapePlaceholder(scope.function, at, op.getLoc()));
  else if (key.isTaped)
    arguments.push_back(TapeEmptyOp::create(at, op.getLoc()));
  auto call = func::CallOp::create(at, op.getLoc(), pair->forward, arguments);
  scope.replaceForward(op, call.getResults().take_front(op.getNumResults()));
  SmallVector<Value> backwardArguments;
  for (ResidualSource source : pair->sources)
    backwardArguments.push_back(scope.primal(
        source.kind == ResidualSource::Kind::Argument
            ? op.getOperand(source.index)
            : call.getResult(source.index)));

  // The backward call.
  llvm::append_range(backwardArguments, cotangents);
  if (tapedScope)
    tapedScope->recordUse(arguments.back(), call.getResults().back());
  if (key.isTaped)
    backwardArguments.push_back(tapedScope
                                    ? tapedScope->tape
                                    : scope.primal(call.getResults().back()));
  auto back = func::CallOp::create(scope.builder, op.getLoc(), pair->backward,
                                   backwardArguments);
  if (tapedScope)
    tapedScope->tape = back.getResults().back();
  for (auto [index, cotangent] : llvm::zip(key.wrt, back.getResults()))
    if (failed(scope.accumulate(op.getOperand(index), cotangent)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

FailureOr<ReversePair> ReverseMode::derive(const ReverseKey &key) {
  auto known = pairs.find(key);
  if (known != pairs.end())
    return known->second;
  auto primal = symbols.lookup<func::FuncOp>(key.function);
  if (primal.isExternal())
    return primal.emitError("TypeError: For '")
           << key.function.getValue()
           << "', expected a function with a body to differentiate, but it has "
              "none";
  return build(key, primal);
}

static Type getTape(MLIRContext *context) { return TapeType::get(context); }

/// A taped pair's types are known before its bodies, which may call it.
static void setTypes(const ReverseKey &key, func::FuncOp primal,
                     ReversePair &pair) {
  MLIRContext *context = primal.getContext();
  SmallVector<Type> inputs, results;
  for (unsigned i : key.cotangents)
    inputs.push_back(primal.getResultTypes()[i]);
  for (unsigned i : key.wrt)
    results.push_back(primal.getArgumentTypes()[i]);
  if (key.isTaped) {
    inputs.push_back(getTape(context));
    results.push_back(getTape(context));
    unsigned numInputs = primal.getNumArguments();
    (void)pair.forward.insertArgument(numInputs, getTape(context), {},
                                      primal.getLoc());
    (void)pair.forward.insertResult(primal.getNumResults(), getTape(context), {});
  }
  pair.backward.setFunctionType(FunctionType::get(context, inputs, results));
}

FailureOr<ReversePair> ReverseMode::build(const ReverseKey &key,
                                          func::FuncOp primal) {
  ReversePair pair;
  std::string name = key.function.getValue().str();
  pair.forward = primal.clone();
  pair.forward.setSymName(name + ".fwd");
  pair.forward.setPrivate();
  OpBuilder builder(primal.getContext());
  pair.backward = func::FuncOp::create(builder, primal.getLoc(), name + ".bwd",
                                       builder.getFunctionType({}, {}));
  pair.backward.setPrivate();
  symbols.insert(pair.forward, std::next(primal->getIterator()));
  symbols.insert(pair.backward, std::next(pair.forward->getIterator()));
  setTypes(key, primal, pair);
  if (key.isTaped)
    pairs[key] = pair;
  if (failed(buildBodies(key, pair))) {
    symbols.erase(pair.forward);
    symbols.erase(pair.backward);
    return failure();
  }
  pairs[key] = pair;
  return pair;
}

/// A result of the forward function that the caller overwrites an argument with
/// keeps that promise only if the argument is no residual.
static void dropDonations(ReversePair &pair) {
  for (ResidualSource source : pair.sources)
    if (source.kind == ResidualSource::Kind::Argument)
      pair.forward.removeArgAttr(source.index, "mindir.donated");
}

/// Writes the signature that the residuals made.
static void updateTypes(ReversePair &pair, Block &backwardEntry) {
  MLIRContext *context = pair.forward.getContext();
  Operation *terminator = pair.forward.front().getTerminator();
  while (pair.forward.getNumResults() < terminator->getNumOperands()) {
    unsigned index = pair.forward.getNumResults();
    (void)pair.forward.insertResult(index, terminator->getOperand(index).getType(), {});
  }
  pair.backward.setFunctionType(FunctionType::get(
      context, backwardEntry.getArgumentTypes(),
      backwardEntry.getTerminator()->getOperandTypes()));
}

LogicalResult ReverseMode::buildBodies(const ReverseKey &key, ReversePair &pair) {
  rotateLoops(pair.forward);
  ReverseFunction function;
  function.varied = computeVaried(pair.forward, key.wrt);
  Block &forward = pair.forward.front();
  Block *backward = pair.backward.addEntryBlock();
  SmallVector<Value> seeds(backward->args_begin(),
                           backward->args_begin() + key.cotangents.size());
  std::unique_ptr<ReverseScope> scope;
  TapedScope *taped = nullptr;
  if (key.isTaped)
    scope.reset(taped = new TapedScope(function, nullptr, &forward, backward,
                                       backward->getArguments().back()));
  else
    scope.reset(new FunctionScope(function, pair.forward, backward));

  for (auto [index, seed] : llvm::zip(key.cotangents, seeds))
    if (failed(scope->accumulate(forward.getTerminator()->getOperand(index), seed)))
      return function.abandon(), failure();
  if (failed(reverse(*scope)))
    return function.abandon(), failure();

  SmallVector<Value> cotangents;
  for (unsigned index : key.wrt)
    cotangents.push_back(scope->cotangentOrZero(forward.getArgument(index)));
  if (taped) {
    Value end = taped->finishForward(forward.getArguments().back());
    forward.getTerminator()->insertOperands(
        forward.getTerminator()->getNumOperands(), end);
    cotangents.push_back(taped->finishBackward());
  } else {
    pair.sources = static_cast<FunctionScope &>(*scope).sources;
  }
  func::ReturnOp::create(scope->builder, pair.forward.getLoc(), cotangents);
  function.eraseGarbage();
  updateTypes(pair, *backward);
  dropDonations(pair);
  return success();
}
