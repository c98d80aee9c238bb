//===- LayoutSupport.h - what layout rules share --------------------------===//
//
// An op under a permutation of its images' dimensions, and the model that makes an
// interface of two functions.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_TRANSFORMS_LAYOUT_RULES_LAYOUTSUPPORT_H
#define MINDIR_LIB_TRANSFORMS_LAYOUT_RULES_LAYOUTSUPPORT_H

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Interfaces/LayoutOpInterface.h"

namespace mlir::mindir {

/// One op whose carriers are transposed by a permutation.
class Transposed {
public:
  Transposed(Operation *op, OpBuilder &builder, ArrayRef<int64_t> permutation,
             ValueRange operands)
      : op(op), builder(builder), permutation(permutation), operands(operands) {}

  /// Where dimension `dim` of a natural value went.
  int64_t move(int64_t dim) const;
  /// One entry a dimension, in the new order.
  SmallVector<int64_t> reorder(ArrayRef<int64_t> entries) const;
  SmallVector<Value> reorder(ValueRange entries) const;
  RankedTensorType reorder(Type type) const;
  /// Index values, one for each unknown size of `type`, in the new order.
  SmallVector<Value> reorderSizes(Type type, ValueRange sizes) const;

  /// Builds the op on the new operands with the attributes replaced and each result
  /// that carries transposed. Trailing operands of type index are the unknown sizes of
  /// its first result.
  SmallVector<Value> build(ArrayRef<NamedAttribute> attributes = {}) const;
  NamedAttribute attribute(StringRef name, Attribute value) const {
    return {builder.getStringAttr(name), value};
  }
  /// An attribute that names a dimension, after the move.
  NamedAttribute movedAxis(StringRef name) const;
  /// An attribute with one integer a dimension, in the new order.
  NamedAttribute reordered(StringRef name) const;
  /// An attribute that names a set of dimensions, after the move, sorted.
  NamedAttribute movedAxes(StringRef name) const;

  Operation *op;
  OpBuilder &builder;
  ArrayRef<int64_t> permutation;
  ValueRange operands;
};

/// Says which operands and results carry the layout.
using CarrierRule = LayoutCarriers (*)(Operation *op, int64_t rank);
/// Builds the transposed op.
using TransposeRule = SmallVector<Value> (*)(const Transposed &t);

/// No operand and no result.
LayoutCarriers carryNone(Operation *op);
/// Every tensor of that rank.
LayoutCarriers carrySameRank(Operation *op, int64_t rank);

/// The op as it is on transposed operands.
SmallVector<Value> keepAttributes(const Transposed &t);
/// The op with its attribute `axis` moved.
SmallVector<Value> moveAxis(const Transposed &t);

/// The interface, from a rule for the carriers and one that builds.
template <typename OpTy, TransposeRule build, CarrierRule carriers = carrySameRank>
struct LayoutModel
    : LayoutOpInterface::ExternalModel<LayoutModel<OpTy, build, carriers>, OpTy> {
  LayoutCarriers getLayoutCarriers(Operation *op, int64_t rank) const {
    return carriers(op, rank);
  }
  void buildTransposed(Operation *op, OpBuilder &builder,
                       ArrayRef<int64_t> permutation, ValueRange operands,
                       SmallVectorImpl<Value> &results) const {
    llvm::append_range(results,
                       build(Transposed(op, builder, permutation, operands)));
  }
};

template <typename OpTy, TransposeRule build, CarrierRule carriers = carrySameRank>
void attachLayout(MLIRContext *context) {
  OpTy::template attachInterface<LayoutModel<OpTy, build, carriers>>(*context);
}

void attachElementwiseLayouts(MLIRContext *context);
void attachReductionLayouts(MLIRContext *context);
void attachLinearLayouts(MLIRContext *context);
void attachNormalizationLayouts(MLIRContext *context);
void attachMovementLayouts(MLIRContext *context);
void attachIndexingLayouts(MLIRContext *context);
/// For `tensor.dim` and `tensor.cast`.
void attachTensorLayouts(MLIRContext *context);

} // namespace mlir::mindir

#endif // MINDIR_LIB_TRANSFORMS_LAYOUT_RULES_LAYOUTSUPPORT_H
