//===- ControlFlowRules.cpp - derivatives of tapes ------------------------===//
//
// The cotangent of a tape is a tape of cotangents, its tangent a tape of tangents,
// with an entry for each float entry of the primal. Push and pop are each other's
// transpose. Entries without a derivative (integers, bools) have no counterpart.
//
//===----------------------------------------------------------------------===//

#include "RuleSupport.h"

using namespace mlir;
using namespace mlir::mindir;

namespace {
struct TapePushRules
    : DifferentiableOpInterface::ExternalModel<TapePushRules, TapePushOp> {
  LogicalResult buildVJP(Operation *op, VJPContext &ctx) const {
    auto push = cast<TapePushOp>(op);
    Value tape = ctx.cotangent(0);
    if (hasDerivative(push.getValue().getType())) {
      auto pop = TapePopOp::create(ctx.builder, ctx.loc(), tape.getType(),
                                   push.getValue().getType(), tape);
      ctx.set(1, pop.getValue());
      tape = pop.getNewTape();
    }
    ctx.set(0, tape);
    return success();
  }

  LogicalResult buildJVP(Operation *op, JVPContext &ctx) const {
    auto push = cast<TapePushOp>(op);
    Value tape = ctx.tangentOrZero(0);
    if (hasDerivative(push.getValue().getType()))
      tape = TapePushOp::create(ctx.builder, ctx.loc(), tape,
                                ctx.tangentOrZero(1));
    ctx.set(0, tape);
    return success();
  }
};

struct TapePopRules
    : DifferentiableOpInterface::ExternalModel<TapePopRules, TapePopOp> {
  LogicalResult buildVJP(Operation *op, VJPContext &ctx) const {
    auto pop = cast<TapePopOp>(op);
    // A tape that is used no more has been emptied.
    Value tape = ctx.cotangent(0) ? ctx.cotangent(0) : ctx.resultZero(0);
    if (hasDerivative(pop.getValue().getType())) {
      Value value = ctx.cotangent(1) ? ctx.cotangent(1) : ctx.resultZero(1);
      tape = TapePushOp::create(ctx.builder, ctx.loc(), tape, value);
    }
    ctx.set(0, tape);
    return success();
  }

  LogicalResult buildJVP(Operation *op, JVPContext &ctx) const {
    auto pop = cast<TapePopOp>(op);
    Value tape = ctx.tangentOrZero(0);
    if (hasDerivative(pop.getValue().getType())) {
      auto popped = TapePopOp::create(ctx.builder, ctx.loc(), tape.getType(),
                                      pop.getValue().getType(), tape);
      ctx.set(1, popped.getValue());
      tape = popped.getNewTape();
    }
    ctx.set(0, tape);
    return success();
  }
};
} // namespace

void mindir::attachControlFlowRules(MLIRContext *context) {
  TapePushOp::attachInterface<TapePushRules>(*context);
  TapePopOp::attachInterface<TapePopRules>(*context);
}
