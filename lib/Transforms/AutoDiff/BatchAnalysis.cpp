//===- BatchAnalysis.cpp - which values differ between lanes --------------===//
//
// A forward fixpoint over structured control flow.
//
//===----------------------------------------------------------------------===//

#include "VMap.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::mindir;

namespace {
/// Marks only grow; a loop is visited until its carried values mark no more.
class BatchAnalysis {
public:
  explicit BatchAnalysis(llvm::DenseSet<Value> &batched) : batched(batched) {}

  bool mark(Value value) {
    return !isa<TokenType>(value.getType()) && batched.insert(value).second;
  }
  void visit(Block &block) {
    for (Operation &op : block)
      visit(&op);
  }

private:
  void visit(Operation *op);
  void visitStructured(scf::IfOp op);
  void visitStructured(scf::ForOp op);
  void visitStructured(scf::WhileOp op);
  void markAll(ValueRange values) {
    for (Value value : values)
      mark(value);
  }
  bool propagate(ValueRange sources, ValueRange targets) {
    bool changed = false;
    for (auto [source, target] : llvm::zip(sources, targets))
      if (batched.contains(source))
        changed |= mark(target);
    return changed;
  }

  llvm::DenseSet<Value> &batched;
};
} // namespace

void BatchAnalysis::visit(Operation *op) {
  TypeSwitch<Operation *>(op)
      .Case<scf::IfOp, scf::ForOp, scf::WhileOp>(
          [&](auto structured) { visitStructured(structured); })
      // Lanes have equal shapes, and share the state of the generator.
      .Case([](tensor::DimOp) {})
      .Case<RandomBitsOp, RandomUniformOp, RandomNormalOp>(
          [&](auto random) { mark(random.getResult()); })
      .Default([&](Operation *) {
        if (llvm::any_of(op->getOperands(),
                         [&](Value v) { return batched.contains(v); }))
          markAll(op->getResults());
      });
}

void BatchAnalysis::visitStructured(scf::IfOp op) {
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    visit(region.front());
    propagate(region.front().getTerminator()->getOperands(), op.getResults());
  }
  if (batched.contains(op.getCondition()))
    markAll(op.getResults());
}

void BatchAnalysis::visitStructured(scf::ForOp op) {
  propagate(op.getInitArgs(), op.getRegionIterArgs());
  do
    visit(*op.getBody());
  while (propagate(op.getYieldedValues(), op.getRegionIterArgs()));
  propagate(op.getRegionIterArgs(), op.getResults());
}

void BatchAnalysis::visitStructured(scf::WhileOp op) {
  propagate(op.getInits(), op.getBeforeArguments());
  bool changed;
  do {
    visit(*op.getBeforeBody());
    changed = false;
    if (batched.contains(op.getConditionOp().getCondition()))
      for (Value argument : op.getBeforeArguments())
        changed |= mark(argument);
    propagate(op.getConditionOp().getArgs(), op.getAfterArguments());
    visit(*op.getAfterBody());
    changed |= propagate(op.getYieldedValues(), op.getBeforeArguments());
  } while (changed);
  propagate(op.getConditionOp().getArgs(), op.getResults());
}

llvm::DenseSet<Value> mindir::computeBatched(func::FuncOp function,
                                             ArrayRef<unsigned> arguments) {
  llvm::DenseSet<Value> batched;
  BatchAnalysis analysis(batched);
  for (unsigned i : arguments)
    analysis.mark(function.getArgument(i));
  analysis.visit(function.front());
  return batched;
}
