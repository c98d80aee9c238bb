//===- FuseElementwise.cpp - producers into consumers ---------------------===//
//
// Computes elementwise producers inside the loops of their consumers.
//
//===----------------------------------------------------------------------===//

#include "mindir/Transforms/Fusion/Passes.h"

#include "mindir/Analysis/VectorBody.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "mindir/Transforms/Fusion/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

/// Most tensors of the domain's size that a kernel reads and writes: more streams than
/// this are slower than two kernels.
static constexpr unsigned kMaxStreams = 12;
/// Most ops that are worth computing again for another consumer, and most when no
/// tensor more is read for it.
static constexpr int64_t kMaxRecomputed = 2, kMaxRecomputedInPass = 8;

/// The ops of a body; nothing when it holds a function, a division or a read.
static std::optional<int64_t> countCheapOps(linalg::GenericOp op) {
  int64_t count = 0;
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (isa<math::MathDialect>(inner.getDialect()) || inner.getNumRegions() ||
        isa<arith::DivFOp, arith::RemFOp, tensor::ExtractOp>(inner))
      return std::nullopt;
    ++count;
  }
  return count;
}

/// The inputs of the domain's size.
static llvm::SmallSetVector<Value, 8> getStreams(linalg::GenericOp op) {
  llvm::SmallSetVector<Value, 8> streams;
  for (OpOperand *input : op.getDpsInputOperands())
    if (coversDomain(op.getMatchingIndexingMap(input)))
      streams.insert(input->get());
  return streams;
}

/// Whether the producer only repeats or rearranges a smaller operand, or computes
/// little from at most one operand of its result's size: reading its result would
/// cost more than computing it again.
static bool isCheap(linalg::GenericOp producer) {
  std::optional<int64_t> ops = countCheapOps(producer);
  return ops && *ops <= kMaxRecomputed && getStreams(producer).size() <= 1;
}

/// Whether less memory is read and written when every consumer computes the result
/// again: consumers that read the producer's inputs anyway do so for nothing.
static bool savesTraffic(linalg::GenericOp producer) {
  std::optional<int64_t> ops = countCheapOps(producer);
  if (!ops || *ops > kMaxRecomputedInPass || producer->getNumResults() != 1)
    return false;
  Value result = producer->getResult(0);
  auto inputs = getStreams(producer);
  // The producer's reads, its write, and a read by each consumer, against the reads
  // that consumers would begin to make.
  int64_t saved = inputs.size() + 1, added = 0;
  llvm::SmallPtrSet<Operation *, 8> users(result.user_begin(),
                                          result.user_end());
  for (Operation *user : users) {
    auto consumer = dyn_cast<linalg::GenericOp>(user);
    if (!consumer || !llvm::all_of(consumer->getOpOperands(), [&](OpOperand &use) {
          return use.get() != result ||
                 (consumer.isDpsInput(&use) &&
                  consumer.getMatchingIndexingMap(&use).isIdentity());
        }))
      return false;
    auto known = getStreams(consumer);
    ++saved;
    added += llvm::count_if(inputs, [&](Value v) { return !known.contains(v); });
  }
  return added < saved;
}

/// Whether the consumer reads an element of the operand in several iterations.
static bool isRepeated(OpOperand *operand) {
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!consumer)
    return false;
  AffineMap map = consumer.getMatchingIndexingMap(operand);
  SmallVector<int64_t> sizes = consumer.getStaticLoopRanges();
  for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
    if (sizes[dim] != 1 && !map.isFunctionOfDim(dim))
      return true;
  return false;
}

static void report(linalg::GenericOp producer, Operation *consumer, bool fuses,
                   StringRef reason) {
  remark::RemarkOpts options = remark::RemarkOpts::name("Fusion").category("fusion");
  if (fuses)
    remark::passed(producer.getLoc(), options) << reason;
  else
    remark::missed(producer.getLoc(), options) << reason;
}

static bool decide(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  if (!producer)
    return false;
  Operation *consumer = operand->getOwner();
  auto loops = dyn_cast<linalg::GenericOp>(consumer);
  size_t streams = getStreams(producer).size() + producer->getNumResults() +
                   (loops ? getStreams(loops).size() + loops->getNumResults() : 0);
  if (streams > kMaxStreams + 2) {
    report(producer, consumer, false,
           "not fused: the kernel would have more operands than it can stream");
    return false;
  }
  bool isCheapProducer = isCheap(producer);
  if (isRepeated(operand) && !isCheapProducer) {
    report(producer, consumer, false,
           "not fused: the consumer repeats the result, and would compute each "
           "element many times");
    return false;
  }
  if (producer->hasOneUse()) {
    report(producer, consumer, true, "fused into its only consumer");
    return true;
  }
  if (isCheapProducer) {
    report(producer, consumer, true,
           "fused into each consumer: cheaper to compute again than to read");
    return true;
  }
  if (savesTraffic(producer)) {
    report(producer, consumer, true,
           "fused into each consumer: they read its inputs anyway");
    return true;
  }
  report(producer, consumer, false,
         "not fused: several ops use the result, and it is not cheap");
  return false;
}

namespace {

struct FuseElementwise
    : mlir::mindir::impl::FuseElementwiseBase<FuseElementwise> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    linalg::populateElementwiseOpsFusionPatterns(patterns, decide);
    affine::AffineApplyOp::getCanonicalizationPatterns(patterns, context);
    linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    tensor::DimOp::getCanonicalizationPatterns(patterns, context);
    memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
    // What is fused into every consumer leaves a dead producer; the driver erases it.
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
