//===- UpstreamRules.cpp - derivatives of upstream ops --------------------===//
//
// The ops of the tensor and arith dialects that stand among mindir ops: changes of
// static knowledge, scalars in and out of tensors, selection by one condition.
//
//===----------------------------------------------------------------------===//

#include "RuleSupport.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::mindir;

/// The context casts every cotangent to its primal's type.
static Value transposeCast(VJPContext &, unsigned, Value g) { return g; }

namespace {
/// An element of a 0-d tensor.
struct ExtractRules
    : DifferentiableOpInterface::ExternalModel<ExtractRules, tensor::ExtractOp> {
  LogicalResult buildVJP(Operation *op, VJPContext &ctx) const {
    if (failed(checkRank(op)))
      return failure();
    ctx.set(0, tensor::FromElementsOp::create(ctx.builder, ctx.loc(),
                                              op->getOperand(0).getType(),
                                              ctx.cotangent(0)));
    return success();
  }
  LogicalResult buildJVP(Operation *op, JVPContext &ctx) const {
    SmallVector<Value> operands{ctx.tangent(0)};
    for (unsigned i = 1; i < op->getNumOperands(); ++i)
      operands.push_back(ctx.operand(i));
    ctx.set(0, cloneOver(ctx.builder, op, operands));
    return success();
  }

private:
  static LogicalResult checkRank(Operation *op) {
    if (op->getNumOperands() == 1)
      return success();
    return op->emitError("TypeError: For 'tensor.extract', expected a 0-d tensor on "
                         "the path of a derivative, but got ")
           << op->getOperand(0).getType() << "; slice it first";
  }
};

struct FromElementsRules
    : DifferentiableOpInterface::ExternalModel<FromElementsRules,
                                               tensor::FromElementsOp> {
  LogicalResult buildVJP(Operation *op, VJPContext &ctx) const {
    ArrayRef<int64_t> shape = getTensorType(op->getResult(0)).getShape();
    SmallVector<int64_t> strides = computeStrides(shape);
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      if (!ctx.needs(i))
        continue;
      SmallVector<Value> position;
      for (int64_t index : delinearize(i, strides))
        position.push_back(
            arith::ConstantIndexOp::create(ctx.builder, ctx.loc(), index));
      ctx.set(i, tensor::ExtractOp::create(ctx.builder, ctx.loc(),
                                           ctx.cotangent(0), position));
    }
    return success();
  }
  LogicalResult buildJVP(Operation *op, JVPContext &ctx) const {
    SmallVector<Value> tangents;
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      tangents.push_back(ctx.tangentOrZero(i));
    ctx.set(0, cloneOver(ctx.builder, op, tangents));
    return success();
  }
};

struct ArithSelectRules
    : DifferentiableOpInterface::ExternalModel<ArithSelectRules,
                                               arith::SelectOp> {
  LogicalResult buildVJP(Operation *op, VJPContext &ctx) const {
    Value condition = ctx.operand(0), g = ctx.cotangent(0);
    if (ctx.needs(1))
      ctx.set(1, select(ctx.builder, ctx.loc(), condition, g, ctx.operandZero(1)));
    if (ctx.needs(2))
      ctx.set(2, select(ctx.builder, ctx.loc(), condition, ctx.operandZero(2), g));
    return success();
  }
  LogicalResult buildJVP(Operation *op, JVPContext &ctx) const {
    ctx.set(0, select(ctx.builder, ctx.loc(), ctx.operand(0),
                      ctx.tangentOrZero(1), ctx.tangentOrZero(2)));
    return success();
  }

private:
  static Value select(OpBuilder &builder, Location loc, Value condition, Value a,
                      Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
};
} // namespace

void mindir::attachTensorRules(MLIRContext *context) {
  attachLinear<tensor::CastOp, transposeCast>(context);
  tensor::ExtractOp::attachInterface<ExtractRules>(*context);
  tensor::FromElementsOp::attachInterface<FromElementsRules>(*context);
}

void mindir::attachArithRules(MLIRContext *context) {
  arith::SelectOp::attachInterface<ArithSelectRules>(*context);
}
