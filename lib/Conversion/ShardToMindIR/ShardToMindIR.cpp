//===- ShardToMindIR.cpp - collectives of the shard dialect ---------------===//
//
// Rewrites upstream's collectives as mindir's, the one kind that autodiff, reference
// and runtime know.
//
//===----------------------------------------------------------------------===//

#include "mindir/Conversion/Passes.h"

#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_CONVERTSHARDTOMINDIR
#include "mindir/Conversion/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

static std::optional<ReduceKind> getKind(shard::ReductionKind kind) {
  switch (kind) {
  case shard::ReductionKind::Sum:
    return ReduceKind::sum;
  case shard::ReductionKind::Product:
    return ReduceKind::prod;
  case shard::ReductionKind::Max:
    return ReduceKind::max;
  case shard::ReductionKind::Min:
    return ReduceKind::min;
  default:
    return std::nullopt;
  }
}

template <typename OpTy> static SmallVector<int64_t> getAxes(OpTy op) {
  return SmallVector<int64_t>(op.getGridAxes().begin(), op.getGridAxes().end());
}

/// The input in the element type of the result, in which shard's reductions combine.
template <typename OpTy> static Value castInput(OpTy op, OpBuilder &builder) {
  auto input = cast<RankedTensorType>(op.getInput().getType());
  Type element = cast<ShapedType>(op.getType()).getElementType();
  if (input.getElementType() == element)
    return op.getInput();
  return CastOp::create(builder, op.getLoc(), input.clone(element), op.getInput());
}

static FailureOr<Value> convertReduction(shard::AllReduceOp op, OpBuilder &builder) {
  std::optional<ReduceKind> kind = getKind(op.getReduction());
  if (!kind || !isa<RankedTensorType>(op.getInput().getType()))
    return failure();
  return AllReduceOp::create(builder, op.getLoc(), op.getType(),
                             castInput(op, builder), *kind, op.getGrid(), getAxes(op))
      .getResult();
}

static FailureOr<Value> convertReduction(shard::ReduceScatterOp op,
                                         OpBuilder &builder) {
  std::optional<ReduceKind> kind = getKind(op.getReduction());
  if (!kind)
    return failure();
  return ReduceScatterOp::create(builder, op.getLoc(), op.getType(),
                                 castInput(op, builder), *kind,
                                 op.getScatterAxis().getSExtValue(), op.getGrid(),
                                 getAxes(op))
      .getResult();
}

/// The mindir collective that replaces a shard op; fails if there is none.
static FailureOr<Value> convert(Operation *op, OpBuilder &builder) {
  using Result = FailureOr<Value>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<shard::AllReduceOp, shard::ReduceScatterOp>(
          [&](auto op) -> Result { return convertReduction(op, builder); })
      .Case([&](shard::AllGatherOp op) -> Result {
        return AllGatherOp::create(builder, op.getLoc(), op.getType(), op.getInput(),
                                   op.getGatherAxis().getSExtValue(), op.getGrid(),
                                   getAxes(op))
            .getResult();
      })
      .Case([&](shard::AllSliceOp op) -> Result {
        return AllSliceOp::create(builder, op.getLoc(), op.getType(), op.getInput(),
                                  op.getSliceAxis().getSExtValue(), op.getGrid(),
                                  getAxes(op))
            .getResult();
      })
      .Case([&](shard::AllToAllOp op) -> Result {
        return AllToAllOp::create(builder, op.getLoc(), op.getType(), op.getInput(),
                                  op.getSplitAxis().getSExtValue(),
                                  op.getConcatAxis().getSExtValue(), op.getGrid(),
                                  getAxes(op))
            .getResult();
      })
      .Default([](Operation *) -> Result { return failure(); });
}

namespace {
struct ConvertShardToMindIR
    : mindir::impl::ConvertShardToMindIRBase<ConvertShardToMindIR> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa_and_nonnull<shard::ShardDialect>(op->getDialect()) &&
          !isa<shard::GridOp>(op))
        ops.push_back(op);
    });
    bool failed = false;
    for (Operation *op : ops) {
      OpBuilder builder(op);
      FailureOr<Value> result = convert(op, builder);
      if (mlir::failed(result)) {
        op->emitError("NotImplementedError: there is no mindir collective for '")
            << op->getName() << "'; run mindir-partition-module first if this is an "
            << "annotation";
        failed = true;
        continue;
      }
      op->getResult(0).replaceAllUsesWith(*result);
      op->erase();
    }
    if (failed)
      signalPassFailure();
  }
};
} // namespace
