//===- ControlFlowKernels.cpp - structured control flow, tapes, effects ---===//
//
// Runs scf regions and calls by the host's own control flow; tapes are persistent
// lists.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Reference/Kernels.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::mindir;
using namespace mlir::mindir::reference;

using Values = SmallVector<RuntimeValue>;

static Values getValues(KernelCall &call, ValueRange operands) {
  return llvm::map_to_vector(operands, [&](Value v) { return call.getValue(v); });
}

static LogicalResult addResults(KernelCall &call, FailureOr<Values> values) {
  if (failed(values))
    return failure();
  for (RuntimeValue &value : *values)
    call.addResult(std::move(value));
  return success();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static LogicalResult runCall(func::CallOp op, KernelCall &call) {
  return addResults(call, call.callFunction(op.getCallee(),
                                            getValues(call, op.getOperands())));
}

static LogicalResult runLaunch(LaunchOp op, KernelCall &call) {
  if (op.getNumResults() != op.getInits().size())
    return call.fail("NotImplementedError: the reference interpreter runs "
                     "'mindir.launch' on tensors, not on buffers");
  Values arguments = getValues(call, op.getInputs());
  llvm::append_range(arguments, getValues(call, op.getInits()));
  return addResults(call, call.callFunction(op.getKernel(), arguments));
}

//===----------------------------------------------------------------------===//
// Structured control flow
//===----------------------------------------------------------------------===//

static LogicalResult runIf(scf::IfOp op, KernelCall &call) {
  bool condition = call.get(op.getCondition()).getInteger(0) != 0;
  Region &region = condition ? op.getThenRegion() : op.getElseRegion();
  if (region.empty())
    return success();
  return addResults(call, call.runRegion(region, {}));
}

static LogicalResult runIndexSwitch(scf::IndexSwitchOp op, KernelCall &call) {
  int64_t chosen = call.getScalar(op.getArg());
  Region *region = &op.getDefaultRegion();
  for (auto [value, candidate] : llvm::zip_equal(op.getCases(), op.getCaseRegions()))
    if (value == chosen)
      region = &candidate;
  return addResults(call, call.runRegion(*region, {}));
}

static LogicalResult runExecuteRegion(scf::ExecuteRegionOp op, KernelCall &call) {
  return addResults(call, call.runRegion(op.getRegion(), {}));
}

static LogicalResult runWhile(scf::WhileOp op, KernelCall &call) {
  Values carried = getValues(call, op.getInits());
  while (true) {
    FailureOr<Values> passed = call.runRegion(op.getBefore(), carried);
    if (failed(passed))
      return failure();
    bool condition = std::get<TensorPtr>(passed->front())->getInteger(0) != 0;
    Values values(llvm::drop_begin(*passed));
    if (!condition)
      return addResults(call, std::move(values));
    FailureOr<Values> next = call.runRegion(op.getAfter(), values);
    if (failed(next))
      return failure();
    carried = std::move(*next);
  }
}

static LogicalResult runFor(scf::ForOp op, KernelCall &call) {
  const Tensor &lower = call.get(op.getLowerBound());
  Integer limit = call.get(op.getUpperBound()).getInteger(0);
  Integer step = call.get(op.getStep()).getInteger(0);
  if (step <= 0)
    return call.fail("ValueError: 'scf.for' expected a positive step");
  Values carried = getValues(call, op.getInitArgs());
  for (Integer i = lower.getInteger(0); i < limit; i += step) {
    Values arguments = {
        TensorPtr(std::make_shared<Tensor>(Tensor::scalar(lower.getDType(), i)))};
    llvm::append_range(arguments, carried);
    FailureOr<Values> next = call.runRegion(op.getRegion(), arguments);
    if (failed(next))
      return failure();
    carried = std::move(*next);
  }
  return addResults(call, std::move(carried));
}

//===----------------------------------------------------------------------===//
// Tapes and effects
//===----------------------------------------------------------------------===//

static LogicalResult runTapeEmpty(TapeEmptyOp op, KernelCall &call) {
  call.addResult(Tape());
  return success();
}

static LogicalResult runTapePush(TapePushOp op, KernelCall &call) {
  auto entry = std::make_shared<TapeEntry>();
  entry->value = std::get<TensorPtr>(call.getValue(op.getValue()));
  entry->rest = std::get<Tape>(call.getValue(op.getTape()));
  call.addResult(Tape(std::move(entry)));
  return success();
}

static LogicalResult runTapePop(TapePopOp op, KernelCall &call) {
  const Tape &tape = std::get<Tape>(call.getValue(op.getTape()));
  if (!tape)
    return call.fail("RuntimeError: 'mindir.tape_pop' of an empty tape");
  call.addResult(Tape(tape->rest));
  call.addResult(tape->value);
  return success();
}

static LogicalResult runToken(TokenOp op, KernelCall &call) {
  call.addResult(Token());
  return success();
}

static LogicalResult runPrint(PrintOp op, KernelCall &call) {
  std::string text;
  StringRef rest = op.getFormat();
  for (Value value : op.getValues()) {
    auto [before, after] = rest.split("{}");
    text += before.str() + call.get(value).getText();
    rest = after;
  }
  if (llvm::raw_ostream *output = call.getOptions().output)
    *output << text << rest << '\n';
  call.addResult(Token());
  return success();
}

void reference::populateControlFlowKernels(KernelRegistry &registry) {
  registry.add<func::CallOp>(runCall);
  registry.add<LaunchOp>(runLaunch);
  constexpr llvm::StringLiteral remedy =
      "resolve function transformations first (the AutoDiff phase)";
  registry.refuse<VJPOp>(remedy);
  registry.refuse<JVPOp>(remedy);
  registry.refuse<VMapOp>(remedy);
  registry.add<scf::IfOp>(runIf);
  registry.add<scf::IndexSwitchOp>(runIndexSwitch);
  registry.add<scf::ExecuteRegionOp>(runExecuteRegion);
  registry.add<scf::WhileOp>(runWhile);
  registry.add<scf::ForOp>(runFor);
  registry.add<TapeEmptyOp>(runTapeEmpty);
  registry.add<TapePushOp>(runTapePush);
  registry.add<TapePopOp>(runTapePop);
  registry.add<TokenOp>(runToken);
  registry.add<PrintOp>(runPrint);
}
