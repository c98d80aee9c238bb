//===- ElementwiseLayouts.cpp - layout rules of elementwise ops -----------===//
//
// An elementwise op is the same in every order; a constant's elements are moved when
// compiling.
//
//===----------------------------------------------------------------------===//

#include "LayoutSupport.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::mindir;

/// Constants with more elements are moved when run.
static constexpr int64_t kMaxMoved = 1 << 16;

static LayoutCarriers carryConstant(Operation *op, int64_t rank) {
  auto value = cast<ConstantOp>(op).getValue();
  bool isMovable = isa<SplatElementsAttr>(value) ||
                   (isa<DenseElementsAttr>(value) &&
                    value.getNumElements() <= kMaxMoved);
  return isMovable ? carrySameRank(op, rank) : carryNone(op);
}

/// The elements of a dense constant in the order of the transposed tensor.
static DenseElementsAttr moveElements(const Transposed &t, DenseElementsAttr value) {
  auto type = cast<RankedTensorType>(value.getType());
  RankedTensorType moved = t.reorder(type);
  SmallVector<int64_t> strides =
      t.reorder(computeSuffixProduct(type.getShape()));
  SmallVector<int64_t> basis = computeSuffixProduct(moved.getShape());
  SmallVector<Attribute> from(value.getValues<Attribute>());
  SmallVector<Attribute> to;
  for (int64_t i = 0; i < value.getNumElements(); ++i)
    to.push_back(from[linearize(delinearize(i, basis), strides)]);
  return DenseElementsAttr::get(moved, to);
}

static SmallVector<Value> transposeConstant(const Transposed &t) {
  ElementsAttr value = cast<ConstantOp>(t.op).getValue();
  DenseElementsAttr moved;
  if (auto splat = dyn_cast<SplatElementsAttr>(value))
    moved = splat.resizeSplat(t.reorder(splat.getType()));
  else
    moved = moveElements(t, cast<DenseElementsAttr>(value));
  return t.build(t.attribute("value", moved));
}

template <typename... OpTys> static void attachSame(MLIRContext *context) {
  (attachLayout<OpTys, keepAttributes>(context), ...);
}

void mindir::attachElementwiseLayouts(MLIRContext *context) {
  attachSame<AbsOp, NegOp, SignOp, CeilOp, FloorOp, RoundOp, ExpOp, Expm1Op, LogOp,
             Log1pOp, SqrtOp, RsqrtOp, SinOp, CosOp, TanhOp, ErfOp, SigmoidOp, ReluOp,
             NotOp, AddOp, SubOp, MulOp, DivOp, FloorDivOp, FloorModOp, PowOp,
             MaximumOp, MinimumOp, AndOp, OrOp, XorOp, CompareOp, SelectOp, CastOp,
             StopGradientOp>(context);
  attachLayout<ConstantOp, transposeConstant, carryConstant>(context);
}
