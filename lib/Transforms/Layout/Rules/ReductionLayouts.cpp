//===- ReductionLayouts.cpp - layout rules of reductions ------------------===//
//
// A reduction takes its input in any order. Its result carries the layout when the
// reduced dimensions are kept; else what is left is put in the natural order, which
// it mostly has.
//
//===----------------------------------------------------------------------===//

#include "LayoutSupport.h"

using namespace mlir;
using namespace mlir::mindir;

/// The input alone.
static LayoutCarriers carryInput(Operation *op, int64_t rank) {
  LayoutCarriers carriers = carryNone(op);
  carriers.operands[0] =
      cast<RankedTensorType>(op->getOperand(0).getType()).getRank() == rank;
  return carriers;
}

static LayoutCarriers carryReduced(Operation *op, int64_t rank) {
  LayoutCarriers carriers = carryInput(op, rank);
  carriers.results[0] = carriers.operands[0] && op->hasAttr("keep_dims");
  return carriers;
}

/// Builds an op that leaves out the dimensions `reduced` of its input, then orders
/// those that are left as they were.
static SmallVector<Value> restoreOrder(const Transposed &t, NamedAttribute attribute,
                                       ArrayRef<int64_t> reduced) {
  SmallVector<int64_t> left, order;
  for (int64_t dim : t.permutation)
    if (!llvm::is_contained(reduced, dim))
      left.push_back(dim);
  if (llvm::is_sorted(left))
    return t.build(attribute);
  // The op infers the type of a result whose dimensions are in another order.
  auto natural = cast<RankedTensorType>(t.op->getResult(0).getType());
  SmallVector<int64_t> sorted(left), shape;
  llvm::sort(sorted);
  for (int64_t dim : left)
    shape.push_back(natural.getDimSize(llvm::find(sorted, dim) - sorted.begin()));
  for (int64_t dim : sorted)
    order.push_back(llvm::find(left, dim) - left.begin());
  NamedAttrList attributes(t.op->getAttrs());
  attributes.set(attribute.getName(), attribute.getValue());
  OperationState state(t.op->getLoc(), t.op->getName(), t.operands,
                       Type(natural.clone(shape)), attributes);
  Value result = t.builder.create(state)->getResult(0);
  return {TransposeOp::create(t.builder, t.op->getLoc(), natural, result, order)};
}

static SmallVector<Value> transposeReduction(const Transposed &t) {
  NamedAttribute axes = t.movedAxes("axes");
  if (t.op->hasAttr("keep_dims"))
    return t.build(axes);
  return restoreOrder(
      t, axes, t.op->getAttrOfType<DenseI64ArrayAttr>("axes").asArrayRef());
}

static SmallVector<Value> transposeArgReduction(const Transposed &t) {
  return restoreOrder(t, t.movedAxis("axis"),
                      t.op->getAttrOfType<IntegerAttr>("axis").getInt());
}

void mindir::attachReductionLayouts(MLIRContext *context) {
  attachLayout<ReduceSumOp, transposeReduction, carryReduced>(context);
  attachLayout<ReduceProdOp, transposeReduction, carryReduced>(context);
  attachLayout<ReduceMaxOp, transposeReduction, carryReduced>(context);
  attachLayout<ReduceMinOp, transposeReduction, carryReduced>(context);
  attachLayout<ArgMaxOp, transposeArgReduction, carryInput>(context);
  attachLayout<ArgMinOp, transposeArgReduction, carryInput>(context);
}
