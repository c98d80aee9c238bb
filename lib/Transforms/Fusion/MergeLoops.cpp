//===- MergeLoops.cpp - loops over one domain as one kernel ---------------===//
//
// Merges ops that walk through the same tensors into one op with several results.
//
//===----------------------------------------------------------------------===//

#include "mindir/Transforms/Fusion/Passes.h"

#include "UpdateOrder.h"

#include "mindir/Analysis/VectorBody.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_MERGELOOPS
#include "mindir/Transforms/Fusion/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

/// Most tensors of the domain's size that a kernel reads and writes: with more, the
/// processor's prefetchers lose track.
static constexpr unsigned kMaxStreams = 12;
/// Most ops in a body: more do not fit into registers.
static constexpr unsigned kMaxOps = 64;

//===----------------------------------------------------------------------===//
// What two ops share
//===----------------------------------------------------------------------===//

namespace {

/// A tensor that an op reads or makes, and how its loops walk through it.
struct Stream {
  Value tensor;
  AffineMap map;
  bool operator==(const Stream &other) const {
    return tensor == other.tensor && map == other.map;
  }
};

/// The tensors of an op that have the size of its domain.
SmallVector<Stream> getStreams(linalg::GenericOp op, bool withResults) {
  SmallVector<Stream> streams;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (coversDomain(map))
      streams.push_back({input->get(), map});
  }
  if (!withResults)
    return streams;
  for (OpResult result : op->getResults()) {
    AffineMap map = op.getIndexingMapMatchingResult(result);
    if (coversDomain(map))
      streams.push_back({result, map});
  }
  return streams;
}

/// The number of streams of both ops as one.
unsigned countStreams(linalg::GenericOp first, linalg::GenericOp second) {
  SmallVector<Stream> all = getStreams(first, true);
  for (const Stream &stream : getStreams(second, true))
    if (!llvm::is_contained(all, stream))
      all.push_back(stream);
  return all.size();
}

bool sharesStream(linalg::GenericOp first, linalg::GenericOp second) {
  SmallVector<Stream> known = getStreams(first, true);
  return llvm::any_of(getStreams(second, false), [&](const Stream &stream) {
    return llvm::is_contained(known, stream);
  });
}

/// Whether a value of the body depends on what an output held before.
bool dependsOnOutputs(Value value, linalg::GenericOp op) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == op.getBody() &&
           argument.getArgNumber() >= op.getNumDpsInputs();
  Operation *producer = value.getDefiningOp();
  return producer->getBlock() == op.getBody() &&
         llvm::any_of(producer->getOperands(), [&](Value operand) {
           return dependsOnOutputs(operand, op);
         });
}

/// Whether each read of `first`'s results by `second` is of the element that the same
/// iteration makes.
bool readsOwnIteration(linalg::GenericOp first, linalg::GenericOp second) {
  for (OpOperand &operand : second->getOpOperands()) {
    if (operand.get().getDefiningOp() != first)
      continue;
    auto result = cast<OpResult>(operand.get());
    AffineMap map = first.getIndexingMapMatchingResult(result);
    Value yielded = first.getBody()->getTerminator()->getOperand(
        result.getResultNumber());
    if (!second.isDpsInput(&operand) || !map.isPermutation() ||
        map != second.getMatchingIndexingMap(&operand) ||
        dependsOnOutputs(yielded, first))
      return false;
  }
  return true;
}

/// Whether an op can be one of several results: its domain is that of a tensor, and
/// each output is written once or accumulates.
bool isMergeable(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || !getVectorLanes(op) ||
      getStreams(op, true).empty())
    return false;
  for (auto [i, map] : llvm::enumerate(op.getIndexingMapsArray())) {
    unsigned numInputs = op.getNumDpsInputs();
    if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
      return false;
    if (i >= numInputs && !coversDomain(map) && !getCombiner(op, i - numInputs))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Moving together
//===----------------------------------------------------------------------===//

/// The ops between two of one block that need the first's results, in order; nothing
/// when the second needs theirs, or one cannot move.
std::optional<SmallVector<Operation *>> findDependents(Operation *first,
                                                       Operation *second) {
  llvm::SetVector<Operation *> dependents;
  auto needs = [&](Operation *op) {
    bool found = false;
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands()) {
        Operation *producer = operand.getDefiningOp();
        found |= producer && (producer == first || dependents.contains(producer));
      }
    });
    return found;
  };
  for (Operation *op = first->getNextNode(); op != second;
       op = op->getNextNode()) {
    if (!needs(op))
      continue;
    if (!isMemoryEffectFree(op))
      return std::nullopt;
    dependents.insert(op);
  }
  for (Value operand : second->getOperands())
    if (Operation *producer = operand.getDefiningOp())
      if (dependents.contains(producer))
        return std::nullopt;
  return dependents.takeVector();
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

/// The op that computes both, built piece by piece.
class MergedOp {
public:
  MergedOp(RewriterBase &rewriter, linalg::GenericOp first,
           linalg::GenericOp second)
      : rewriter(rewriter), first(first), second(second) {}

  linalg::GenericOp create();

private:
  void addInputs(linalg::GenericOp op);
  void cloneBody(OpBuilder &b, linalg::GenericOp op, ValueRange arguments,
                 unsigned firstOutput);

  RewriterBase &rewriter;
  linalg::GenericOp first, second;
  SmallVector<Stream> inputs;
  SmallVector<Value> yields;
  IRMapping mapping;
};

void MergedOp::addInputs(linalg::GenericOp op) {
  for (OpOperand *input : op.getDpsInputOperands()) {
    Stream stream{input->get(), op.getMatchingIndexingMap(input)};
    if (input->get().getDefiningOp() != first.getOperation() &&
        !llvm::is_contained(inputs, stream))
      inputs.push_back(stream);
  }
}

void MergedOp::cloneBody(OpBuilder &b, linalg::GenericOp op,
                         ValueRange arguments, unsigned firstOutput) {
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(input);
    if (input->get().getDefiningOp() == first.getOperation()) {
      unsigned result = cast<OpResult>(input->get()).getResultNumber();
      mapping.map(argument, yields[result]);
      continue;
    }
    Stream stream{input->get(), op.getMatchingIndexingMap(input)};
    size_t place = llvm::find(inputs, stream) - inputs.begin();
    mapping.map(argument, arguments[place]);
  }
  for (unsigned i = 0; i < op.getNumDpsInits(); ++i)
    mapping.map(op.getBody()->getArgument(op.getNumDpsInputs() + i),
                arguments[inputs.size() + firstOutput + i]);
  for (Operation &inner : op.getBody()->without_terminator())
    b.clone(inner, mapping);
  for (Value value : op.getBody()->getTerminator()->getOperands())
    yields.push_back(mapping.lookupOrDefault(value));
}

linalg::GenericOp MergedOp::create() {
  addInputs(first);
  addInputs(second);
  SmallVector<Value> tensors, inits;
  SmallVector<AffineMap> maps;
  for (const Stream &input : inputs) {
    tensors.push_back(input.tensor);
    maps.push_back(input.map);
  }
  for (linalg::GenericOp op : {first, second})
    for (OpOperand &init : op.getDpsInitsMutable()) {
      inits.push_back(init.get());
      maps.push_back(op.getMatchingIndexingMap(&init));
    }
  SmallVector<utils::IteratorType> iterators = first.getIteratorTypesArray();
  for (auto [iterator, other] :
       llvm::zip(iterators, second.getIteratorTypesArray()))
    if (linalg::isReductionIterator(other))
      iterator = other;
  rewriter.setInsertionPoint(second);
  return linalg::GenericOp::create(
      rewriter, rewriter.getFusedLoc({first.getLoc(), second.getLoc()}),
      TypeRange(ValueRange(inits)), tensors, inits, maps, iterators,
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        cloneBody(b, first, arguments, 0);
        cloneBody(b, second, arguments, first.getNumDpsInits());
        linalg::YieldOp::create(b, loc, yields);
      });
}

void report(linalg::GenericOp op, bool merges, const Twine &reason) {
  remark::RemarkOpts options =
      remark::RemarkOpts::name("MergeLoops").category("fusion");
  if (merges)
    remark::passed(op.getLoc(), options) << reason.str();
  else
    remark::missed(op.getLoc(), options) << reason.str();
}

/// Whether the ops walk through loops of the same sizes (unknown ones are the same
/// since the ops share a stream), and their outputs allow for one nest.
bool fitTogether(linalg::GenericOp first, linalg::GenericOp second) {
  if (first.getNumLoops() != second.getNumLoops() ||
      first.getStaticLoopRanges() != second.getStaticLoopRanges())
    return false;
  SmallVector<AffineMap> outputs;
  for (linalg::GenericOp op : {first, second})
    for (OpOperand &init : op.getDpsInitsMutable())
      outputs.push_back(op.getMatchingIndexingMap(&init));
  // Tensors are contiguous along their last dimension.
  return haveCommonLoops(outputs, first.getNumLoops() - 1);
}

/// Whether merging saves a pass over memory, and is possible but for the ops between.
bool isWorthwhile(linalg::GenericOp first, linalg::GenericOp second) {
  if (!isMergeable(first) || !isMergeable(second) ||
      !sharesStream(first, second) || !fitTogether(first, second) ||
      !readsOwnIteration(first, second))
    return false;
  if (countStreams(first, second) > kMaxStreams) {
    report(second, false,
           "not merged: the kernel would stream more tensors than the processor "
           "prefetches");
    return false;
  }
  size_t ops = first.getBody()->getOperations().size() +
               second.getBody()->getOperations().size();
  if (ops > kMaxOps) {
    report(second, false, "not merged: the body would not fit into registers");
    return false;
  }
  return true;
}

struct MergeLoops : mlir::mindir::impl::MergeLoopsBase<MergeLoops> {
  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation()->walk([&](Block *block) {
      if (!isa<linalg::LinalgOp>(block->getParentOp()))
        blocks.push_back(block);
    });
    for (Block *block : blocks) {
      auto function = dyn_cast<func::FuncOp>(block->getParentOp());
      order.reset();
      if (function)
        order.emplace(function);
      mergeIn(*block);
    }
    RewritePatternSet patterns(&getContext());
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }

private:
  void mergeIn(Block &block) {
    SmallVector<linalg::GenericOp> merged;
    for (auto op : llvm::make_early_inc_range(block.getOps<linalg::GenericOp>()))
      merged.push_back(op);
    for (unsigned i = 0; i < merged.size(); ++i)
      while (linalg::GenericOp first = findPartner(merged[i])) {
        linalg::GenericOp both = merge(first, merged[i]);
        llvm::replace(merged, first, linalg::GenericOp());
        merged[i] = both;
      }
  }

  /// The nearest op before `second` to merge with it, with the ops between moved.
  linalg::GenericOp findPartner(linalg::GenericOp second) {
    if (!second || !isMergeable(second))
      return {};
    linalg::GenericOp best;
    auto consider = [&](Operation *op) {
      auto first = dyn_cast_or_null<linalg::GenericOp>(op);
      if (!first || first == second || first->getBlock() != second->getBlock() ||
          !first->isBeforeInBlock(second) ||
          (best && first->isBeforeInBlock(best)))
        return;
      if (!isWorthwhile(first, second) || !findDependents(first, second))
        return;
      if (order && !order->allows(first, second))
        return report(second, false,
                      "not merged: a Parameter's update would come before a "
                      "reader of its old value");
      best = first;
    };
    for (const Stream &stream : getStreams(second, false)) {
      consider(stream.tensor.getDefiningOp());
      for (Operation *user : stream.tensor.getUsers())
        consider(user);
    }
    return best;
  }

  linalg::GenericOp merge(linalg::GenericOp first, linalg::GenericOp second) {
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> dependents = *findDependents(first, second);
    report(second, true, "merged with an op that walks through the same tensor");
    linalg::GenericOp both = MergedOp(rewriter, first, second).create();
    Operation *last = both;
    for (Operation *op : dependents) {
      op->moveAfter(last);
      last = op;
    }
    unsigned numFirst = first->getNumResults();
    rewriter.replaceAllUsesWith(first->getResults(),
                                both->getResults().take_front(numFirst));
    rewriter.replaceOp(second, both->getResults().drop_front(numFirst));
    rewriter.eraseOp(first);
    ++numMerged;
    return both;
  }

  std::optional<UpdateOrder> order;
};

} // namespace
