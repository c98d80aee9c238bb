//===- FuseElementwise.cpp - producers into consumers ---------------------===//
//
// Computes elementwise producers inside the loops of their consumers.
//
//===----------------------------------------------------------------------===//

#include "mindir/Transforms/Fusion/Passes.h"

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

/// Most operands of a kernel: more streams than this are slower than two kernels.
static constexpr unsigned kMaxOperands = 12;
/// Most ops that are worth computing again for another consumer.
static constexpr int64_t kMaxRecomputed = 2;

/// Whether the producer only repeats or rearranges a smaller operand, or computes
/// little from at most one operand of its result's size: reading its result would
/// cost more than computing it again.
static bool isCheap(linalg::GenericOp producer) {
  int64_t ops = 0, largeInputs = 0;
  for (Operation &op : producer.getBody()->without_terminator()) {
    if (isa<math::MathDialect>(op.getDialect()) || op.getNumRegions() ||
        isa<arith::DivFOp, arith::RemFOp, tensor::ExtractOp>(op))
      return false;
    ++ops;
  }
  for (OpOperand *input : producer.getDpsInputOperands()) {
    AffineMap map = producer.getMatchingIndexingMap(input);
    largeInputs += llvm::all_of(llvm::seq(map.getNumDims()), [&](unsigned dim) {
      return map.isFunctionOfDim(dim);
    });
  }
  return ops <= kMaxRecomputed && largeInputs <= 1;
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
  unsigned operands = producer->getNumOperands() + consumer->getNumOperands();
  if (operands > kMaxOperands + 2) {
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
