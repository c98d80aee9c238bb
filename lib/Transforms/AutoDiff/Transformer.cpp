//===- Transformer.cpp - function transformations of a module -------------===//
//
// Resolves callees before their callers, so that what is transformed contains no
// transformation itself.
//
//===----------------------------------------------------------------------===//

#include "Transformer.h"
#include "ValueUtils.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::mindir;

/// The function that a transformation op names, or a null attribute.
static FlatSymbolRefAttr getTransformed(Operation *op) {
  return TypeSwitch<Operation *, FlatSymbolRefAttr>(op)
      .Case<VJPOp, JVPOp, VMapOp>([](auto t) { return t.getCalleeAttr(); })
      .Default(FlatSymbolRefAttr());
}

LogicalResult Transformer::visitReachable(func::FuncOp function, States &states,
                                          Replace replace) {
  SmallVector<std::pair<Operation *, func::FuncOp>> uses;
  function.walk([&](Operation *op) {
    FlatSymbolRefAttr name = getTransformed(op);
    if (auto call = dyn_cast<func::CallOp>(op))
      name = call.getCalleeAttr();
    if (!name)
      return;
    if (auto callee = symbols.lookup<func::FuncOp>(name.getAttr()))
      uses.push_back({op, callee});
  });
  for (auto [op, callee] : uses) {
    auto state = states.find(callee);
    bool isOpen = state != states.end() && !state->second;
    if (isOpen && getTransformed(op))
      return op->emitError("ValueError: For '")
             << op->getName() << "', expected a function that is complete, but '"
             << callee.getSymName()
             << "' transforms itself; a derivative may not occur in the function "
                "that it is taken of";
    if (!isOpen && failed(visit(callee, states, replace)))
      return failure();
  }
  return success();
}

LogicalResult Transformer::visit(func::FuncOp function, States &states,
                                 Replace replace) {
  if (function.isExternal() || !states.try_emplace(function, false).second)
    return success();
  if (failed(visitReachable(function, states, replace)))
    return failure();
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (getTransformed(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    auto callee = symbols.lookup<func::FuncOp>(getTransformed(op).getAttr());
    if (failed(replace(op, callee)))
      return failure();
  }
  states[function] = true;
  return success();
}

LogicalResult Transformer::resolve(ArrayRef<func::FuncOp> functions) {
  auto map = [&](Operation *op, func::FuncOp callee) {
    auto lanes = dyn_cast<VMapOp>(op);
    return lanes ? this->replace(lanes, callee) : success();
  };
  auto differentiate = [&](Operation *op, func::FuncOp callee) {
    if (auto vjp = dyn_cast<VJPOp>(op))
      return this->replace(vjp, callee);
    return this->replace(cast<JVPOp>(op), callee);
  };
  for (func::FuncOp function : functions)
    if (failed(visit(function, mapped, map)))
      return failure();
  for (func::FuncOp function : functions)
    if (failed(visit(function, differentiated, differentiate)))
      return failure();
  return success();
}

LogicalResult Transformer::replace(VMapOp op, func::FuncOp callee) {
  SmallVector<unsigned> wrt(op.getWrt().begin(), op.getWrt().end());
  llvm::sort(wrt);
  int64_t size = ShapedType::kDynamic;
  for (unsigned i : wrt)
    size = mergeSizes(size, cast<RankedTensorType>(op.getOperand(i).getType())
                                .getDimSize(0));
  auto derived = vmap.derive(callee, wrt, size);
  if (failed(derived))
    return failure();
  OpBuilder builder(op);
  SmallVector<Value> operands, results;
  for (auto [operand, type] :
       llvm::zip(op.getOperands(), derived->getArgumentTypes()))
    operands.push_back(castTo(builder, op.getLoc(), operand, type));
  auto call = func::CallOp::create(builder, op.getLoc(), *derived, operands);
  for (auto [result, type] : llvm::zip(call.getResults(), op.getResultTypes()))
    results.push_back(castTo(builder, op.getLoc(), result, type));
  op.replaceAllUsesWith(results);
  op.erase();
  return success();
}

LogicalResult Transformer::replace(VJPOp op, func::FuncOp callee) {
  unsigned numInputs = callee.getNumArguments();
  ReverseKey key;
  key.function = callee.getSymNameAttr();
  key.wrt.assign(op.getWrt().begin(), op.getWrt().end());
  SmallVector<Value> cotangents;
  ValueRange given = op.getInputs().drop_front(numInputs);
  for (unsigned i = 0; i < callee.getNumResults(); ++i) {
    if (!isa<FloatType>(getElementTypeOrSelf(callee.getResultTypes()[i])))
      continue;
    Value cotangent = given.front();
    given = given.drop_front();
    if (callee.getResultAttr(i, "mindir.updates") || isZero(cotangent))
      continue;
    key.cotangents.push_back(i);
    cotangents.push_back(cotangent);
  }
  auto pair = reverse.derive(key);
  if (failed(pair))
    return failure();
  OpBuilder builder(op);
  ValueRange inputs = op.getInputs().take_front(numInputs);
  auto forward = func::CallOp::create(builder, op.getLoc(), pair->forward, inputs);
  SmallVector<Value> arguments;
  for (ResidualSource source : pair->sources)
    arguments.push_back(source.kind == ResidualSource::Kind::Argument
                            ? inputs[source.index]
                            : forward.getResult(source.index));
  llvm::append_range(arguments, cotangents);
  auto backward =
      func::CallOp::create(builder, op.getLoc(), pair->backward, arguments);
  SmallVector<Value> results(forward.getResults().take_front(callee.getNumResults()));
  llvm::append_range(results, backward.getResults());
  op.replaceAllUsesWith(results);
  op.erase();
  return success();
}

LogicalResult Transformer::replace(JVPOp op, func::FuncOp callee) {
  unsigned numInputs = callee.getNumArguments();
  // The tangents that are known to be zero need no argument.
  SmallVector<unsigned> wrt;
  SmallVector<Value> arguments(op.getInputs().take_front(numInputs));
  for (auto [index, tangent] :
       llvm::zip(op.getWrt(), op.getInputs().drop_front(numInputs)))
    if (!isZero(tangent)) {
      wrt.push_back(index);
      arguments.push_back(tangent);
    }
  auto derived = forward.derive(callee, wrt);
  if (failed(derived))
    return failure();
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto call = func::CallOp::create(builder, loc, derived->function, arguments);
  unsigned numResults = callee.getNumResults();
  SmallVector<Value> results(call.getResults().take_front(numResults));
  llvm::SmallDenseMap<unsigned, Value> tangents;
  for (auto [i, tangent] :
       llvm::zip(derived->tangents, call.getResults().drop_front(numResults)))
    tangents[i] = tangent;
  for (unsigned i = 0; i < numResults; ++i) {
    Value result = call.getResult(i);
    if (!isa<FloatType>(getElementTypeOrSelf(result.getType())))
      continue;
    Value tangent = tangents.lookup(i);
    results.push_back(tangent ? tangent
                              : buildZero(builder, loc, result.getType(),
                                          [&](int64_t dim) {
                                            return buildDim(builder, loc, result,
                                                            dim);
                                          }));
  }
  op.replaceAllUsesWith(results);
  op.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// The C++ entry
//===----------------------------------------------------------------------===//

FailureOr<GradientFunctions>
mindir::buildGradientFunctions(ModuleOp module, StringRef entry,
                               ArrayRef<int64_t> wrt) {
  Transformer transformer(module);
  auto function = transformer.getSymbols().lookup<func::FuncOp>(entry);
  if (!function)
    return module.emitError("ValueError: expected a function named '")
           << entry << "', but the module has none";
  for (int64_t index : wrt)
    if (index < 0 || index >= static_cast<int64_t>(function.getNumArguments()) ||
        !hasDerivative(function.getArgumentTypes()[index]))
      return function.emitError("ValueError: expected float arguments to "
                                "differentiate by, but argument ")
             << index << " of '" << entry << "' is none";
  if (failed(transformer.resolve(function)))
    return failure();
  ReverseKey key;
  key.function = function.getSymNameAttr();
  key.wrt.assign(wrt.begin(), wrt.end());
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (hasDerivative(function.getResultTypes()[i]) &&
        !function.getResultAttr(i, "mindir.updates"))
      key.cotangents.push_back(i);
  auto pair = transformer.getReverseMode().derive(key);
  if (failed(pair))
    return failure();
  GradientFunctions functions;
  functions.forward = pair->forward;
  functions.backward = pair->backward;
  functions.residuals = pair->sources;
  functions.numResiduals = pair->forward.getNumResults() - function.getNumResults();
  functions.cotangentResults = key.cotangents;
  return functions;
}
