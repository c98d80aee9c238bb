//===- LayoutRewriter.cpp - writing the chosen layouts --------------------===//
//
// Visits ops in order. An op that is transposed is built anew; a transpose back to
// the natural order follows it, which is erased when in the end nobody wants it.
//
//===----------------------------------------------------------------------===//

#include "LayoutRewriter.h"

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Dialect/MindIR/IR/ShapedOp.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::mindir;

LayoutRewriter::LayoutRewriter(const LayoutProblem &problem,
                               ArrayRef<int64_t> permutation, MLIRContext *context)
    : problem(problem), permutation(permutation),
      inverse(invertPermutationVector(permutation)), builder(context) {}

RankedTensorType LayoutRewriter::transposeType(Type type) const {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.clone(applyPermutation(tensor.getShape(), permutation));
}

Value LayoutRewriter::buildTranspose(Value value, ArrayRef<int64_t> order, Type type) {
  builder.setInsertionPointAfterValue(value);
  Location loc = value.getLoc();
  auto from = cast<RankedTensorType>(value.getType());
  Value result;
  if (keepsElementOrder(from, order))
    result = ReshapeOp::create(builder, loc, type, value,
                               getDynamicSizes(builder, loc, value));
  else
    result = TransposeOp::create(builder, loc, type, value, order);
  built.push_back(result.getDefiningOp());
  return result;
}

Value LayoutRewriter::getTransposed(Value natural) {
  auto [found, isNew] = transposedOf.try_emplace(natural, Value());
  if (!isNew)
    return found->second;
  Value transposed =
      buildTranspose(natural, permutation, transposeType(natural.getType()));
  return transposedOf[natural] = transposed;
}

void LayoutRewriter::replace(Value old, Value transposed) {
  // The old value's type is the natural one, unless the value itself was retyped.
  Type type = old.getType();
  if (old == transposed)
    type = cast<RankedTensorType>(type).clone(applyPermutation(
        cast<RankedTensorType>(type).getShape(), ArrayRef<int64_t>(inverse)));
  Value natural = buildTranspose(transposed, inverse, type);
  Operation *own = natural.getDefiningOp();
  SmallPtrSet<Operation *, 4> except{own};
  for (Value size : own->getOperands().drop_front())
    except.insert(size.getDefiningOp());
  old.replaceAllUsesExcept(natural, except);
  transposedOf[natural] = transposed;
}

void LayoutRewriter::transposeOp(LayoutOpInterface op) {
  LayoutCarriers carriers = op.getLayoutCarriers(permutation.size());
  SmallVector<Value> operands(op->getOperands()), results;
  for (auto [operand, carries] : llvm::zip(operands, carriers.operands))
    if (carries)
      operand = getTransposed(operand);
  builder.setInsertionPoint(op);
  op.buildTransposed(builder, permutation, operands, results);
  for (auto [old, result, carries] :
       llvm::zip(op->getResults(), results, carriers.results)) {
    if (carries)
      replace(old, result);
    else
      old.replaceAllUsesWith(result);
  }
  op->erase();
}

void LayoutRewriter::transposeCarried(Value carried) {
  carried.setType(transposeType(carried.getType()));
  replace(carried, carried);
}

void LayoutRewriter::visit(Operation *op) {
  if (problem.isTransposed(op))
    return transposeOp(cast<LayoutOpInterface>(op));
  // Control flow, calls, functions and returns are retyped in place.
  for (OpOperand &operand : op->getOpOperands())
    if (problem.isTransposed(operand))
      operand.set(getTransposed(operand.get()));
  for (Region &region : op->getRegions())
    for (Value argument : region.getArguments())
      if (problem.isTransposed(argument))
        transposeCarried(argument);
  for (Value result : op->getResults())
    if (problem.isTransposed(result))
      transposeCarried(result);
}

void LayoutRewriter::finish() {
  for (Operation *op : llvm::reverse(built)) {
    if (op->use_empty()) {
      op->erase();
      continue;
    }
    if (isa<TransposeOp>(op))
      remark::passed(op->getLoc(),
                     remark::RemarkOpts::name("Transpose").category("layout"))
          << "a chain of channels-last ops begins or ends here: " +
                 std::to_string(estimateBytes(
                     cast<RankedTensorType>(op->getResult(0).getType()))) +
                 " bytes are transposed";
  }
  built.clear();
}

void LayoutRewriter::rewrite(func::FuncOp function) {
  SmallVector<Operation *> ops;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    visit(op);
  finish();
  if (function.isExternal())
    return;
  Block &body = function.front();
  function.setFunctionType(
      builder.getFunctionType(body.getArgumentTypes(),
                              body.getTerminator()->getOperandTypes()));
}
