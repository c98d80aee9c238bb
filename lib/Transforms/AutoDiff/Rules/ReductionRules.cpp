//===- ReductionRules.cpp - derivatives of reductions ---------------------===//
//
// Sum is linear; extremes share the derivative equally among ties; the product's
// derivative is made of exclusive products, so that zeros are exact.
//
//===----------------------------------------------------------------------===//

#include "RuleSupport.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::mindir;

/// Broadcasts a reduction's result back over its operand's shape.
template <typename OpTy>
static Value expand(Arith &a, OpTy op, Value reduced, DimFn dim) {
  if (!op.getKeepDims())
    reduced = insertUnitDims(a, reduced, op.getAxes());
  return broadcastTo(a, reduced, getTensorType(op.getInput()), dim);
}

template <typename OpTy>
static Value expand(Arith &a, OpTy op, Value reduced, Value like) {
  return expand(a, op, reduced, [&](int64_t i) {
    return buildDim(a.builder, a.loc, like, i);
  });
}

static Value transposeSum(VJPContext &ctx, unsigned, Value g) {
  Arith a(ctx.builder, ctx.loc());
  return expand(a, cast<ReduceSumOp>(ctx.op), g,
                [&](int64_t i) { return ctx.operandDim(0, i); });
}

//===----------------------------------------------------------------------===//
// Extremes
//===----------------------------------------------------------------------===//

namespace {
template <typename OpTy>
struct ExtremeRules
    : DifferentiableOpInterface::ExternalModel<ExtremeRules<OpTy>, OpTy> {
  LogicalResult buildVJP(Operation *op, VJPContext &ctx) const {
    Arith a(ctx.builder, ctx.loc());
    auto reduce = cast<OpTy>(op);
    Value x = ctx.operand(0);
    Value isExtreme = compareWithResult(a, reduce, x, ctx.result(0));
    Value share = a.div(ctx.cotangent(0), count(a, reduce, x, isExtreme));
    ctx.set(0, a.where(isExtreme, expand(a, reduce, share, x)));
    return success();
  }

  LogicalResult buildJVP(Operation *op, JVPContext &ctx) const {
    Arith a(ctx.builder, ctx.loc());
    auto reduce = cast<OpTy>(op);
    Value x = ctx.operand(0);
    Value isExtreme = compareWithResult(a, reduce, x, ctx.result(0));
    Value sum = sumLike(a, reduce, a.where(isExtreme, ctx.tangent(0)));
    ctx.set(0, a.div(sum, count(a, reduce, x, isExtreme)));
    return success();
  }

private:
  static Value compareWithResult(Arith &a, OpTy op, Value x, Value result) {
    return a.compare(ComparePredicate::eq, x, expand(a, op, result, x));
  }
  static Value sumLike(Arith &a, OpTy op, Value tensor) {
    return a.sum(tensor, op.getAxes(), op.getKeepDims());
  }
  /// How many elements share the extreme; 1 if there are no elements.
  static Value count(Arith &a, OpTy op, Value x, Value isExtreme) {
    Value equal = sumLike(a, op, CastOp::create(a.builder, a.loc, x.getType(),
                                                isExtreme));
    bool mayBeEmpty = llvm::any_of(op.getAxes(), [&](int64_t axis) {
      int64_t size = getTensorType(x).getDimSize(axis);
      return size == 0 || ShapedType::isDynamic(size);
    });
    if (!mayBeEmpty)
      return equal;
    return MaximumOp::create(a.builder, a.loc, equal, a.splat(equal, 1));
  }
};

//===----------------------------------------------------------------------===//
// Product
//===----------------------------------------------------------------------===//

/// The reduced axes of a tensor moved to the end and made one.
struct CollapsedAxes {
  CollapsedAxes(Arith &a, Value tensor, ArrayRef<int64_t> axes);
  /// Brings a tensor of the collapsed shape back to the original one.
  Value restore(Value collapsed);

  Arith &a;
  SmallVector<int64_t> permutation;
  Value moved;     // the tensor, reduced axes last
  Value collapsed; // and made one
};
} // namespace

CollapsedAxes::CollapsedAxes(Arith &a, Value tensor, ArrayRef<int64_t> axes)
    : a(a) {
  RankedTensorType type = getTensorType(tensor);
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (!llvm::is_contained(axes, i))
      permutation.push_back(i);
  int64_t kept = permutation.size();
  llvm::append_range(permutation, axes);
  moved = TransposeOp::create(a.builder, a.loc, tensor, permutation);
  SmallVector<int64_t> shape(getTensorType(moved).getShape().take_front(kept));
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < kept; ++i)
    if (ShapedType::isDynamic(shape[i]))
      sizes.push_back(buildDim(a.builder, a.loc, moved, i));
  int64_t size = 1;
  Value dynamicSize = arith::ConstantIndexOp::create(a.builder, a.loc, 1);
  for (int64_t i = kept; i < type.getRank(); ++i) {
    int64_t dim = getTensorType(moved).getDimSize(i);
    size = ShapedType::isDynamic(dim) || ShapedType::isDynamic(size)
               ? ShapedType::kDynamic
               : size * dim;
    dynamicSize = arith::MulIOp::create(a.builder, a.loc, dynamicSize,
                                        buildDim(a.builder, a.loc, moved, i));
  }
  shape.push_back(size);
  if (ShapedType::isDynamic(size))
    sizes.push_back(dynamicSize);
  collapsed = ReshapeOp::create(
      a.builder, a.loc, RankedTensorType::get(shape, type.getElementType()),
      moved, sizes);
}

Value CollapsedAxes::restore(Value value) {
  value = ReshapeOp::create(
      a.builder, a.loc, moved.getType(), value,
      mindir::getDynamicSizes(a.builder, a.loc, moved));
  SmallVector<int64_t> inverse(permutation.size());
  for (auto [i, position] : llvm::enumerate(permutation))
    inverse[position] = i;
  return TransposeOp::create(a.builder, a.loc, value, inverse);
}

/// Shifts along the last axis of static size by `count`, towards the end or the
/// start, ones coming in.
static Value shift(Arith &a, Value tensor, int64_t count, bool towardsEnd) {
  RankedTensorType type = getTensorType(tensor);
  int64_t rank = type.getRank(), size = type.getDimSize(rank - 1);
  SmallVector<int64_t> none(rank, 0), ones(rank, 1), pad(rank, 0);
  pad.back() = count;
  Value one = buildSplat(a.builder, a.loc,
                         RankedTensorType::get({}, type.getElementType()), 1,
                         nullptr);
  Value padded =
      PadOp::create(a.builder, a.loc, tensor, one, towardsEnd ? pad : none,
                    towardsEnd ? none : pad, none);
  SmallVector<int64_t> starts(rank, 0), limits(rank, SliceOp::kEnd);
  starts.back() = towardsEnd ? 0 : count;
  limits.back() = towardsEnd ? size : size + count;
  return SliceOp::create(a.builder, a.loc, padded, starts, limits, ones);
}

/// The product of all elements before (after) each along the last axis: a scan by
/// doubling distances.
static Value scanExclusive(Arith &a, Value tensor, bool before) {
  RankedTensorType type = getTensorType(tensor);
  int64_t size = type.getDimSize(type.getRank() - 1);
  if (size == 0)
    return tensor;
  Value product = shift(a, tensor, 1, before);
  for (int64_t distance = 1; distance < size; distance *= 2)
    product = a.mul(product, shift(a, product, distance, before));
  return product;
}

/// The product of all other elements along the last axis, of unknown size: each
/// against all, itself replaced by one.
static Value multiplyOthers(Arith &a, Value tensor) {
  RankedTensorType type = getTensorType(tensor);
  int64_t rank = type.getRank();
  SmallVector<int64_t> shape(type.getShape());
  shape.push_back(ShapedType::kDynamic);
  auto square = RankedTensorType::get(shape, type.getElementType());
  auto dim = [&](int64_t i) {
    return buildDim(a.builder, a.loc, tensor, std::min(i, rank - 1));
  };
  Value all = broadcastTo(a, insertUnitDims(a, tensor, rank - 1), square, dim);
  auto indices = square.clone(a.builder.getI64Type());
  SmallVector<Value> sizes = getDynamicSizes(square, dim);
  Value row = IotaOp::create(a.builder, a.loc, indices, sizes, rank - 1);
  Value column = IotaOp::create(a.builder, a.loc, indices, sizes, rank);
  Value isSelf = a.compare(ComparePredicate::eq, row, column);
  Value others = a.select(isSelf, a.splat(all, 1), all);
  return ReduceProdOp::create(a.builder, a.loc, others,
                              ArrayRef<int64_t>{rank}, false);
}

/// For each element, the product of the others that are reduced with it.
static Value buildExclusiveProduct(Arith &a, Value tensor,
                                   ArrayRef<int64_t> axes) {
  CollapsedAxes axis(a, tensor, axes);
  RankedTensorType type = getTensorType(axis.collapsed);
  if (type.isDynamicDim(type.getRank() - 1))
    return axis.restore(multiplyOthers(a, axis.collapsed));
  return axis.restore(a.mul(scanExclusive(a, axis.collapsed, true),
                            scanExclusive(a, axis.collapsed, false)));
}

namespace {
struct ProductRules
    : DifferentiableOpInterface::ExternalModel<ProductRules, ReduceProdOp> {
  LogicalResult buildVJP(Operation *op, VJPContext &ctx) const {
    Arith a(ctx.builder, ctx.loc());
    auto reduce = cast<ReduceProdOp>(op);
    Value x = ctx.operand(0);
    Value g = expand(a, reduce, ctx.cotangent(0), x);
    ctx.set(0, a.mul(g, buildExclusiveProduct(a, x, reduce.getAxes())));
    return success();
  }

  LogicalResult buildJVP(Operation *op, JVPContext &ctx) const {
    Arith a(ctx.builder, ctx.loc());
    auto reduce = cast<ReduceProdOp>(op);
    Value others = buildExclusiveProduct(a, ctx.operand(0), reduce.getAxes());
    ctx.set(0, a.sum(a.mul(ctx.tangent(0), others), reduce.getAxes(),
                     reduce.getKeepDims()));
    return success();
  }
};
} // namespace

void mindir::attachReductionRules(MLIRContext *context) {
  attachLinear<ReduceSumOp, transposeSum>(context);
  ReduceMaxOp::attachInterface<ExtremeRules<ReduceMaxOp>>(*context);
  ReduceMinOp::attachInterface<ExtremeRules<ReduceMinOp>>(*context);
  ReduceProdOp::attachInterface<ProductRules>(*context);
}
