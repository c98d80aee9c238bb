//===- CollectiveRules.cpp - derivatives of collectives -------------------===//
//
// The inputs of each device are variables of their own, and the loss is the sum over
// devices of what each computes. Each collective is then a linear map from the inputs
// of a group to its outputs, and its cotangent the transposed map.
//
//===----------------------------------------------------------------------===//

#include "RuleSupport.h"

using namespace mlir;
using namespace mlir::mindir;

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

/// Each device's share goes back to the device that gave it.
static Value transposeAllGather(VJPContext &ctx, unsigned, Value g) {
  auto op = cast<AllGatherOp>(ctx.op);
  return ReduceScatterOp::create(ctx.builder, ctx.loc(), op.getInput().getType(), g,
                                 ReduceKind::sum, op.getAxis(), op.getGrid(),
                                 op.getGridAxes());
}

static Value transposeAllToAll(VJPContext &ctx, unsigned, Value g) {
  auto op = cast<AllToAllOp>(ctx.op);
  return AllToAllOp::create(ctx.builder, ctx.loc(), op.getInput().getType(), g,
                            op.getConcatAxis(), op.getSplitAxis(), op.getGrid(),
                            op.getGridAxes());
}

/// Places the part among zeros: the device's own part of 0, 1, 2 ... says where.
static Value transposeAllSlice(VJPContext &ctx, unsigned, Value g) {
  auto op = cast<AllSliceOp>(ctx.op);
  int64_t axis = op.getAxis();
  Type index = ctx.builder.getI64Type();
  auto all = RankedTensorType::get(getTensorType(op.getInput()).getDimSize(axis), index);
  auto own = RankedTensorType::get(op.getType().getDimSize(axis), index);
  Value places = IotaOp::create(
      ctx.builder, ctx.loc(), all,
      getDynamicSizes(all, [&](int64_t) { return ctx.operandDim(0, axis); }), 0);
  places = AllSliceOp::create(ctx.builder, ctx.loc(), own, places, 0, op.getGrid(),
                              op.getGridAxes());
  return ScatterAddOp::create(ctx.builder, ctx.loc(), op.getInput().getType(),
                              ctx.operandZero(0), places, g, axis);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

namespace {
/// The rules of a reduction over devices, which is linear if it is a sum.
template <typename OpTy>
struct ReductionOverDevices
    : DifferentiableOpInterface::ExternalModel<ReductionOverDevices<OpTy>, OpTy> {
  LogicalResult buildVJP(Operation *op, VJPContext &ctx) const {
    if (failed(checkIsSum(op)))
      return failure();
    ctx.set(0, transpose(cast<OpTy>(op), ctx));
    return success();
  }
  LogicalResult buildJVP(Operation *op, JVPContext &ctx) const {
    if (failed(checkIsSum(op)))
      return failure();
    ctx.set(0, cloneOver(ctx.builder, op, ctx.tangent(0)));
    return success();
  }

private:
  static Value transpose(AllReduceOp op, VJPContext &ctx) {
    return cloneOver(ctx.builder, op, ctx.cotangent(0));
  }
  static Value transpose(ReduceScatterOp op, VJPContext &ctx) {
    return AllGatherOp::create(ctx.builder, ctx.loc(), op.getInput().getType(),
                               ctx.cotangent(0), op.getAxis(), op.getGrid(),
                               op.getGridAxes());
  }
  static LogicalResult checkIsSum(Operation *op) {
    auto reduction = cast<OpTy>(op);
    if (reduction.getKind() == ReduceKind::sum)
      return success();
    return op->emitError("TypeError: For '")
           << (isa<AllReduceOp>(op) ? "AllReduce" : "ReduceScatter")
           << "', expected the kind sum on the path of a derivative, but got "
           << stringifyReduceKind(reduction.getKind())
           << "; gather the values and reduce them on each device";
  }
};
} // namespace

void mindir::attachCollectiveRules(MLIRContext *context) {
  AllReduceOp::attachInterface<ReductionOverDevices<AllReduceOp>>(*context);
  ReduceScatterOp::attachInterface<ReductionOverDevices<ReduceScatterOp>>(*context);
  attachLinear<AllGatherOp, transposeAllGather>(context);
  attachLinear<AllSliceOp, transposeAllSlice>(context);
  attachLinear<AllToAllOp, transposeAllToAll>(context);
}
