//===- PropagateShardings.cpp - annotation of every tensor ----------------===//
//
// Makes the shardings that the analysis found explicit in the IR.
//
//===----------------------------------------------------------------------===//

#include "ShardingAnalysis.h"

#include "mindir/Transforms/Parallel/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_PROPAGATESHARDINGS
#include "mindir/Transforms/Parallel/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;
using shard::Sharding;

namespace {

/// Creates `shard.shard` ops, with one `shard.sharding` per function and sharding.
class Annotator {
public:
  /// Annotates a definition: all uses see the annotated value.
  void annotateDefinition(Value value, const Sharding &sharding);
  /// Annotates one use.
  void annotateUse(OpOperand &operand, const Sharding &sharding);

private:
  Value getSharding(Operation *near, const Sharding &sharding);

  DenseMap<std::pair<Operation *, Attribute>, Value> shardings;
};

} // namespace

Value Annotator::getSharding(Operation *near, const Sharding &sharding) {
  auto function = near->getParentOfType<func::FuncOp>();
  Value &value = shardings[{function, toAttribute(sharding)}];
  if (value)
    return value;
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  value = shard::ShardingOp::create(builder, function.getLoc(), sharding);
  return value;
}

void Annotator::annotateDefinition(Value value, const Sharding &sharding) {
  Block *block = value.getParentBlock();
  Operation *definition = value.getDefiningOp();
  Operation *near = definition ? definition : &block->front();
  Value shardingValue = getSharding(near, sharding);
  OpBuilder builder(near);
  if (definition)
    builder.setInsertionPointAfter(definition);
  else if (shardingValue.getParentBlock() == block)
    builder.setInsertionPointAfterValue(shardingValue);
  auto annotated =
      shard::ShardOp::create(builder, value.getLoc(), value, shardingValue);
  value.replaceAllUsesExcept(annotated, annotated);
}

void Annotator::annotateUse(OpOperand &operand, const Sharding &sharding) {
  Operation *owner = operand.getOwner();
  Value shardingValue = getSharding(owner, sharding);
  OpBuilder builder(owner);
  operand.set(shard::ShardOp::create(builder, owner->getLoc(), operand.get(),
                                     shardingValue, /*annotate_for_users=*/true));
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct PropagateShardings
    : mindir::impl::PropagateShardingsBase<PropagateShardings> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        convertAttributes(function);
    ShardingAnalysis analysis(getOperation());
    if (failed(analysis.run()))
      return signalPassFailure();
    if (analysis.hasGrid())
      annotate(analysis);
  }

private:
  /// Argument and result attributes become annotations.
  void convertAttributes(func::FuncOp function) {
    Annotator annotator;
    for (BlockArgument argument : function.getArguments())
      if (auto sharding = function.getArgAttrOfType<ShardingAttr>(
              argument.getArgNumber(), kShardingAttrName))
        annotator.annotateDefinition(argument, fromAttribute(sharding));
    function.walk([&](func::ReturnOp op) {
      for (OpOperand &operand : op->getOpOperands())
        if (auto sharding = function.getResultAttrOfType<ShardingAttr>(
                operand.getOperandNumber(), kShardingAttrName))
          annotator.annotateUse(operand, fromAttribute(sharding));
    });
  }

  void annotate(ShardingAnalysis &analysis) {
    std::vector<std::pair<Value, Sharding>> definitions;
    std::vector<std::pair<OpOperand *, Sharding>> uses;
    SmallVector<shard::ShardOp> seeds;
    getOperation().walk([&](Operation *op) {
      if (auto seed = dyn_cast<shard::ShardOp>(op)) {
        seeds.push_back(seed);
        return;
      }
      for (Region &region : op->getRegions())
        for (BlockArgument argument : region.getArguments())
          if (isShardable(argument.getType()))
            definitions.emplace_back(argument, analysis.getSharding(argument));
      if (op->getNumOperands() + op->getNumResults() == 0)
        return;
      std::vector<Sharding> annotations = analysis.getAnnotations(op);
      for (OpOperand &operand : op->getOpOperands())
        if (isShardable(operand.get().getType()))
          uses.emplace_back(&operand, annotations[operand.getOperandNumber()]);
      for (OpResult result : op->getResults())
        if (isShardable(result.getType()))
          definitions.emplace_back(
              result, annotations[op->getNumOperands() + result.getResultNumber()]);
    });
    for (shard::ShardOp seed : seeds) {
      seed.replaceAllUsesWith(seed.getSrc());
      seed.erase();
    }
    Annotator annotator;
    // Block arguments are annotated from the last to the first, each at the front.
    for (auto [value, sharding] : llvm::reverse(definitions))
      annotator.annotateDefinition(value, sharding);
    for (auto [operand, sharding] : uses)
      annotator.annotateUse(*operand, sharding);
  }
};
} // namespace
