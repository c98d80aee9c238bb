//===- Lanes.h - one op under vmap ----------------------------------------===//
//
// What batching rules share: an op's operands over lanes, lanes taken into another
// dimension and out of it, and the loop over lanes.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_TRANSFORMS_AUTODIFF_RULES_LANES_H
#define MINDIR_LIB_TRANSFORMS_AUTODIFF_RULES_LANES_H

#include "RuleSupport.h"

#include "mindir/Interfaces/BatchableOpInterface.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::mindir {

/// One op under vmap. `op` is the primal one; operand `i` has a leading dimension of
/// lanes when `batched[i]`.
class Lanes : public Arith {
public:
  Lanes(Operation *op, OpBuilder &builder, ValueRange operands, ArrayRef<bool> batched,
        OpFoldResult count);

  bool isBatched(unsigned i) const { return batched[i]; }
  Value get(unsigned i) const { return operands[i]; }
  /// Operand `i` over lanes; one that all lanes share is repeated.
  Value all(unsigned i);
  /// The size of dimension `dim` of operand `i` of one lane.
  Value operandDim(unsigned i, int64_t dim) {
    return buildDim(builder, loc, get(i), dim + isBatched(i));
  }
  /// The type of a result over lanes.
  RankedTensorType getType(unsigned i = 0) const;
  /// The sizes that result 0 over lanes does not know, `own` being the primal's.
  SmallVector<Value> getSizes(ValueRange own) const;

  /// [lanes, .., n, ..] as [.., lanes * n, ..], n being dimension `axis` of a lane.
  Value merge(Value value, int64_t axis = 0);
  /// The inverse of `merge`.
  Value split(Value value, int64_t axis = 0);
  /// What `merge` makes of a lane's type and of the sizes that it does not know.
  RankedTensorType getMergedType(RankedTensorType type, int64_t axis) const;
  SmallVector<Value> getMergedSizes(RankedTensorType type, int64_t axis, ValueRange own);

  /// Whether there is a known number of lanes, at least one: then it can stand in an
  /// attribute.
  bool haveKnownCount() const { return !ShapedType::isDynamic(size) && size > 0; }
  /// Runs the op, of one result, once per lane in a loop, for ops whose lanes no
  /// single op computes. `dim` gives the sizes that a lane's result does not know.
  Value loop(DimFn dim);

  LogicalResult refuse(StringRef what) const;

  Operation *op;
  ValueRange operands;
  ArrayRef<bool> batched;
  int64_t size;
  Value laneCount;

private:
  /// The operands of lane `position`, for the op's own.
  IRMapping mapLane(Value position);
};

/// Builds the op's results over lanes.
using BatchRule = LogicalResult (*)(Lanes &l, SmallVectorImpl<Value> &results);

/// Checks that no shape differs between lanes, then follows the rule.
LogicalResult applyBatchRule(BatchRule rule, Lanes &lanes,
                             SmallVectorImpl<Value> &results);

template <typename OpTy, BatchRule rule>
struct BatchRules
    : BatchableOpInterface::ExternalModel<BatchRules<OpTy, rule>, OpTy> {
  LogicalResult buildBatched(Operation *op, OpBuilder &builder, ValueRange operands,
                             ArrayRef<bool> batched, OpFoldResult size,
                             SmallVectorImpl<Value> &results) const {
    Lanes lanes(op, builder, operands, batched, size);
    return applyBatchRule(rule, lanes, results);
  }
};

template <typename OpTy, BatchRule rule>
void attachBatching(MLIRContext *context) {
  OpTy::template attachInterface<BatchRules<OpTy, rule>>(*context);
}

/// The rules of ops over images: convolution, pooling, batch normalization.
void attachImageBatchingRules(MLIRContext *context);

} // namespace mlir::mindir

#endif // MINDIR_LIB_TRANSFORMS_AUTODIFF_RULES_LANES_H
