//===- CollectiveRules.cpp - derivatives of collectives -------------------===//
//
// A sum over devices is its own transpose, as every device holds one share of the
// cotangent.
//
//===----------------------------------------------------------------------===//

#include "RuleSupport.h"

using namespace mlir;
using namespace mlir::mindir;

namespace {
struct AllReduceRules
    : DifferentiableOpInterface::ExternalModel<AllReduceRules, AllReduceOp> {
  LogicalResult buildVJP(Operation *op, VJPContext &ctx) const {
    if (failed(checkIsSum(op)))
      return failure();
    ctx.set(0, cloneOver(ctx.builder, op, ctx.cotangent(0)));
    return success();
  }
  LogicalResult buildJVP(Operation *op, JVPContext &ctx) const {
    if (failed(checkIsSum(op)))
      return failure();
    ctx.set(0, cloneOver(ctx.builder, op, ctx.tangent(0)));
    return success();
  }

private:
  static LogicalResult checkIsSum(Operation *op) {
    ReduceKind kind = cast<AllReduceOp>(op).getKind();
    if (kind == ReduceKind::sum)
      return success();
    return op->emitError("TypeError: For 'AllReduce', expected the kind sum on the "
                         "path of a derivative, but got ")
           << stringifyReduceKind(kind)
           << "; gather the values and reduce them on each device";
  }
};
} // namespace

void mindir::attachCollectiveRules(MLIRContext *context) {
  AllReduceOp::attachInterface<AllReduceRules>(*context);
}
