//===- LinearLayouts.cpp - layout rules of convolution and pooling --------===//
//
// Ops on images state their layout. Convolutions want channels-last; pooling follows
// its neighbours. The weight of a convolution keeps its order.
//
//===----------------------------------------------------------------------===//

#include "LayoutSupport.h"

using namespace mlir;
using namespace mlir::mindir;

/// A channels-first op becomes channels-last by this permutation.
static bool isChannelsFirst(Operation *op) {
  auto layout = op->getAttrOfType<ImageLayoutAttr>("layout");
  return !layout || layout.getValue() == ImageLayout::nchw;
}

/// Images of a channels-first op: all tensors of rank 4.
static LayoutCarriers carryImages(Operation *op, int64_t rank) {
  return isChannelsFirst(op) ? carrySameRank(op, rank) : carryNone(op);
}

/// All images but operand 1, the weight.
static LayoutCarriers carryButWeight(Operation *op, int64_t rank) {
  LayoutCarriers carriers = carryImages(op, rank);
  carriers.operands[1] = false;
  return carriers;
}

/// The operands; the result is a weight.
static LayoutCarriers carryOperands(Operation *op, int64_t rank) {
  LayoutCarriers carriers = carryImages(op, rank);
  carriers.results[0] = false;
  return carriers;
}

static SmallVector<Value> makeChannelsLast(const Transposed &t) {
  auto layout = ImageLayoutAttr::get(t.builder.getContext(), ImageLayout::nhwc);
  return t.build(t.attribute("layout", layout));
}

namespace {
/// The model of an op that must be channels-last.
template <typename OpTy, CarrierRule carriers>
struct ConvolutionLayout
    : LayoutOpInterface::ExternalModel<ConvolutionLayout<OpTy, carriers>, OpTy> {
  bool wantsChannelsLast(Operation *op) const { return isChannelsFirst(op); }
  LayoutCarriers getLayoutCarriers(Operation *op, int64_t rank) const {
    return carriers(op, rank);
  }
  void buildTransposed(Operation *op, OpBuilder &builder,
                       ArrayRef<int64_t> permutation, ValueRange operands,
                       SmallVectorImpl<Value> &results) const {
    llvm::append_range(results, makeChannelsLast(Transposed(op, builder, permutation,
                                                            operands)));
  }
};
} // namespace

template <typename OpTy, CarrierRule carriers>
static void attachConvolution(MLIRContext *context) {
  OpTy::template attachInterface<ConvolutionLayout<OpTy, carriers>>(*context);
}

void mindir::attachLinearLayouts(MLIRContext *context) {
  attachConvolution<Conv2DOp, carryButWeight>(context);
  attachConvolution<Conv2DInputGradOp, carryButWeight>(context);
  attachConvolution<Conv2DWeightGradOp, carryOperands>(context);
  attachLayout<MaxPool2DOp, makeChannelsLast, carryImages>(context);
  attachLayout<AvgPool2DOp, makeChannelsLast, carryImages>(context);
  attachLayout<AvgPool2DGradOp, makeChannelsLast, carryImages>(context);
  attachLayout<PoolGatherOp, makeChannelsLast, carryImages>(context);
  attachLayout<PoolScatterOp, makeChannelsLast, carryImages>(context);
}
