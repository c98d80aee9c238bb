//===- IndexingRules.cpp - derivatives of indexing ------------------------===//
//
// Gather and scatter-add are each other's transpose.
//
//===----------------------------------------------------------------------===//

#include "RuleSupport.h"

using namespace mlir;
using namespace mlir::mindir;

static Value transposeGather(VJPContext &ctx, unsigned, Value g) {
  auto op = cast<GatherOp>(ctx.op);
  return ScatterAddOp::create(ctx.builder, ctx.loc(), op.getInput().getType(),
                              ctx.operandZero(0), ctx.operand(1), g,
                              op.getAxis());
}

static Value transposeScatterAdd(VJPContext &ctx, unsigned i, Value g) {
  auto op = cast<ScatterAddOp>(ctx.op);
  if (i == 0)
    return g;
  return GatherOp::create(ctx.builder, ctx.loc(), g, ctx.operand(1),
                          op.getAxis());
}

void mindir::attachIndexingRules(MLIRContext *context) {
  attachLinear<GatherOp, transposeGather>(context);
  attachLinear<ScatterAddOp, transposeScatterAdd>(context);
}
