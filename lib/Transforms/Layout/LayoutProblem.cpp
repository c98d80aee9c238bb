//===- LayoutProblem.cpp - which values are transposed --------------------===//
//
// Builds the graph: a node for each op with a rule and each set of values that
// control flow or calls pass to each other, edges for the values between them.
//
//===----------------------------------------------------------------------===//

#include "LayoutProblem.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::mindir;

/// How often the body of a loop is taken to run.
static constexpr int64_t kAssumedTrips = 8;
/// Costs are cut off here, so that their sum is a number.
static constexpr int64_t kMaxCost = int64_t(1) << 40;

bool mindir::keepsElementOrder(RankedTensorType type,
                               ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> wide;
  for (int64_t dim : permutation)
    if (type.getDimSize(dim) != 1)
      wide.push_back(dim);
  return llvm::is_sorted(wide);
}

int64_t mindir::estimateBytes(RankedTensorType type) {
  int64_t bytes = (type.getElementType().getIntOrFloatBitWidth() + 7) / 8;
  for (int64_t size : type.getShape()) {
    int64_t assumed = ShapedType::isDynamic(size) ? kAssumedSize : size;
    bytes = std::min(kMaxCost, bytes * std::min(assumed, kMaxCost / kAssumedSize));
  }
  return bytes;
}

static int64_t getCost(Value value, ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(value.getType());
  if (keepsElementOrder(type, permutation))
    return 0;
  int64_t cost = estimateBytes(type);
  for (Operation *op = value.getParentBlock()->getParentOp(); op;
       op = op->getParentOp())
    if (isa<LoopLikeOpInterface>(op))
      cost = std::min(kMaxCost, cost * kAssumedTrips);
  return cost;
}

LayoutProblem::LayoutProblem(ModuleOp module, ArrayRef<int64_t> permutation)
    : permutation(permutation), module(module) {
  module.walk([&](Operation *op) {
    if (auto layout = dyn_cast<LayoutOpInterface>(op))
      addOp(layout);
    if (isa<RegionBranchOpInterface>(op))
      addCarried(op);
  });
  for (auto function : module.getOps<func::FuncOp>())
    addFunction(function);
}

bool LayoutProblem::hasRank(Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == static_cast<int64_t>(permutation.size());
}

void LayoutProblem::addOp(LayoutOpInterface op) {
  LayoutCarriers carriers = op.getLayoutCarriers(permutation.size());
  if (!carriers.any())
    return;
  unsigned node = cut.addNode();
  opNodes[op] = node;
  for (auto [operand, carries] : llvm::zip(op->getOpOperands(), carriers.operands))
    if (carries)
      uses[&operand] = node;
  for (auto [result, carries] : llvm::zip(op->getResults(), carriers.results))
    if (carries)
      definitions[result] = node;
  if (op.wantsChannelsLast())
    wishes.push_back(node);
}

void LayoutProblem::addCarried(Operation *op) {
  RegionBranchSuccessorMapping mapping;
  cast<RegionBranchOpInterface>(op).getSuccessorOperandInputMapping(mapping);
  for (auto &[operand, inputs] : mapping) {
    if (!hasRank(operand->get()) || inputs.empty())
      continue;
    unsigned node = uses.try_emplace(operand, 0).first->second;
    if (!node)
      uses[operand] = node = cut.addNode();
    for (Value input : inputs) {
      unsigned &other = definitions.try_emplace(input, 0).first->second;
      if (!other)
        other = node;
      // What goes into one place has one order.
      cut.addEdge(node, other, MinimumCut::kUncuttable);
      cut.addEdge(other, node, MinimumCut::kUncuttable);
    }
  }
}

/// The calls of a private function; none if it is used in another way.
static SmallVector<func::CallOp> getCalls(func::FuncOp function, ModuleOp module) {
  SmallVector<func::CallOp> calls;
  std::optional<SymbolTable::UseRange> symbolUses =
      SymbolTable::getSymbolUses(function, module);
  if (!function.isPrivate() || function.isExternal() || !symbolUses)
    return {};
  for (SymbolTable::SymbolUse use : *symbolUses) {
    auto call = dyn_cast<func::CallOp>(use.getUser());
    if (!call)
      return {};
    calls.push_back(call);
  }
  return calls;
}

void LayoutProblem::addFunction(func::FuncOp function) {
  SmallVector<func::CallOp> calls = getCalls(function, module);
  if (calls.empty())
    return;
  for (auto [i, argument] : llvm::enumerate(function.getArguments())) {
    if (!hasRank(argument))
      continue;
    unsigned node = definitions[argument] = cut.addNode();
    for (func::CallOp call : calls)
      uses[&call->getOpOperand(i)] = node;
  }
  Operation *terminator = function.front().getTerminator();
  for (OpOperand &operand : terminator->getOpOperands()) {
    if (!hasRank(operand.get()))
      continue;
    unsigned node = uses[&operand] = cut.addNode();
    for (func::CallOp call : calls)
      definitions[call.getResult(operand.getOperandNumber())] = node;
  }
}

unsigned LayoutProblem::getNodeOf(OpOperand &use) const {
  auto found = uses.find(&use);
  return found == uses.end() ? MinimumCut::kSource : found->second;
}

void LayoutProblem::addValue(Value value) {
  if (!hasRank(value))
    return;
  auto found = definitions.find(value);
  unsigned from = found == definitions.end() ? MinimumCut::kSource : found->second;
  int64_t cost = getCost(value, permutation);
  // One transpose serves all uses in the other order.
  unsigned anyTransposed = cut.addNode(), anyNatural = cut.addNode();
  cut.addEdge(from, anyTransposed, cost);
  cut.addEdge(anyNatural, from, cost);
  for (OpOperand &use : value.getUses()) {
    unsigned to = getNodeOf(use);
    if (to == from)
      continue;
    cut.addEdge(anyTransposed, to, MinimumCut::kUncuttable);
    cut.addEdge(to, anyNatural, MinimumCut::kUncuttable);
  }
}

void LayoutProblem::solve() {
  module.walk([&](Operation *op) {
    for (Value result : op->getResults())
      addValue(result);
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        addValue(argument);
  });
  for (unsigned node : wishes)
    cut.addEdge(node, MinimumCut::kSink, MinimumCut::kUncuttable);
  cut.solve();
}

bool LayoutProblem::isTransposed(Operation *op) const {
  auto found = opNodes.find(op);
  return found != opNodes.end() && cut.isOnSinkSide(found->second);
}

bool LayoutProblem::isTransposed(Value value) const {
  auto found = definitions.find(value);
  return found != definitions.end() && cut.isOnSinkSide(found->second);
}

bool LayoutProblem::isTransposed(OpOperand &use) const {
  return cut.isOnSinkSide(getNodeOf(use));
}
