//===- Activity.cpp - which values a derivative concerns ------------------===//
//
// A forward fixpoint over structured control flow for dependence on arguments, and
// a backward walk over one block for dependence of results.
//
//===----------------------------------------------------------------------===//

#include "Activity.h"
#include "ValueUtils.h"

#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::mindir;

// The ops without a derivative by nature. Ops whose results are integers or bools
// (compare, argmax, casts to such) need no mention.
bool mindir::hasZeroDerivative(Operation *op) {
  return isa<CeilOp, FloorOp, RoundOp, SignOp, FloorDivOp, // piecewise constant
             ConstantOp, IotaOp, OneHotOp,                 // no float operand
             RandomUniformOp, RandomNormalOp,              // drawn, not computed
             StopGradientOp>(op);                          // by request
}

namespace {
/// The forward fixpoint. Marks only grow, so that a loop is visited until its
/// carried values mark no more.
class VariedAnalysis {
public:
  VariedAnalysis(llvm::DenseSet<Value> &varied, bool allTapes)
      : varied(varied), allTapes(allTapes) {}

  /// Marks a value; returns whether it was not marked before.
  bool mark(Value value) {
    return hasDerivative(value.getType()) && varied.insert(value).second;
  }
  void visit(Block &block);

private:
  void visit(Operation *op);
  void visitStructured(scf::IfOp op);
  void visitStructured(scf::ForOp op);
  void visitStructured(scf::WhileOp op);
  void markTapes(ValueRange values);
  /// Marks each target whose source is marked; returns whether one was new.
  bool propagate(ValueRange sources, ValueRange targets);

  llvm::DenseSet<Value> &varied;
  bool allTapes;
};
} // namespace

void VariedAnalysis::visit(Block &block) {
  markTapes(block.getArguments());
  for (Operation &op : block) {
    visit(&op);
    markTapes(op.getResults());
  }
}

void VariedAnalysis::visit(Operation *op) {
  TypeSwitch<Operation *>(op)
      .Case<scf::IfOp, scf::ForOp, scf::WhileOp>(
          [&](auto structured) { visitStructured(structured); })
      .Default([&](Operation *) {
        bool depends = llvm::any_of(op->getOperands(), [&](Value operand) {
          return varied.contains(operand);
        });
        if (!depends || hasZeroDerivative(op))
          return;
        for (Value result : op->getResults())
          mark(result);
      });
}

void VariedAnalysis::markTapes(ValueRange values) {
  for (Value value : values)
    if (allTapes && isa<TapeType>(value.getType()))
      varied.insert(value);
}

bool VariedAnalysis::propagate(ValueRange sources, ValueRange targets) {
  bool changed = false;
  for (auto [source, target] : llvm::zip(sources, targets))
    if (varied.contains(source))
      changed |= mark(target);
  return changed;
}

void VariedAnalysis::visitStructured(scf::IfOp op) {
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    visit(region.front());
    propagate(region.front().getTerminator()->getOperands(), op.getResults());
  }
}

void VariedAnalysis::visitStructured(scf::ForOp op) {
  propagate(op.getInitArgs(), op.getRegionIterArgs());
  do
    visit(*op.getBody());
  while (propagate(op.getYieldedValues(), op.getRegionIterArgs()));
  propagate(op.getRegionIterArgs(), op.getResults());
}

void VariedAnalysis::visitStructured(scf::WhileOp op) {
  propagate(op.getInits(), op.getBeforeArguments());
  do {
    visit(*op.getBeforeBody());
    propagate(op.getConditionOp().getArgs(), op.getAfterArguments());
    visit(*op.getAfterBody());
  } while (propagate(op.getYieldedValues(), op.getBeforeArguments()));
  propagate(op.getConditionOp().getArgs(), op.getResults());
}

llvm::DenseSet<Value> mindir::computeVaried(func::FuncOp function,
                                            ArrayRef<unsigned> wrt,
                                            bool allTapes) {
  llvm::DenseSet<Value> varied;
  VariedAnalysis analysis(varied, allTapes);
  for (unsigned index : wrt)
    analysis.mark(function.getArgument(index));
  analysis.visit(function.front());
  return varied;
}

llvm::DenseSet<Value> mindir::computeUseful(Block &block, ArrayRef<Value> seeds,
                                            const llvm::DenseSet<Value> &varied) {
  llvm::DenseSet<Value> useful;
  auto mark = [&](Value value) {
    if (varied.contains(value))
      useful.insert(value);
  };
  for (Value seed : seeds)
    mark(seed);
  for (Operation &op : llvm::reverse(block)) {
    bool isUseful = llvm::any_of(
        op.getResults(), [&](Value result) { return useful.contains(result); });
    if (!isUseful)
      continue;
    // Values of the nested regions themselves are marked too, without harm.
    op.walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        mark(operand);
    });
  }
  return useful;
}
