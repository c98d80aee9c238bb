//===- LinearOps.cpp - matrix products, convolution, pooling --------------===//
//
// Inference and verification of matmul, convolutions and pooling.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Dialect/MindIR/IR/ShapedOp.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

#define GET_OP_CLASSES
#include "mindir/Dialect/MindIR/IR/LinearOps.cpp.inc"

using namespace mlir;
using namespace mlir::mindir;

//===----------------------------------------------------------------------===//
// Matmul
//===----------------------------------------------------------------------===//

LogicalResult MatMulOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  auto lhs = cast<RankedTensorType>(adaptor.getLhs().getType());
  auto rhs = cast<RankedTensorType>(adaptor.getRhs().getType());
  if (lhs.getElementType() != rhs.getElementType()) // matmul_c1
    return OpError(location, ErrorKind::Type, "MatMul")
           << "the inputs must have the same dtype, but got "
           << lhs.getElementType() << " and " << rhs.getElementType();
  int64_t rank = lhs.getRank();
  if (rank < 2 || rank != rhs.getRank()) // matmul_c1
    return OpError(location, ErrorKind::Value, "MatMul")
           << "the inputs must have equal ranks of at least 2, but got shapes ["
           << lhs.getShape() << "] and [" << rhs.getShape() << "]";
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < rank - 2; ++dim) { // matmul_c2
    if (!areCompatibleSizes(lhs.getDimSize(dim), rhs.getDimSize(dim)))
      return OpError(location, ErrorKind::Value, "MatMul")
             << "the batch dimensions must be equal, but got shapes ["
             << lhs.getShape() << "] and [" << rhs.getShape() << "]";
    shape.push_back(mergeSizes(lhs.getDimSize(dim), rhs.getDimSize(dim)));
  }
  bool transposeLhs = adaptor.getTransposeLhs();
  bool transposeRhs = adaptor.getTransposeRhs();
  int64_t lhsInner = lhs.getDimSize(transposeLhs ? rank - 2 : rank - 1);
  int64_t rhsInner = rhs.getDimSize(transposeRhs ? rank - 1 : rank - 2);
  if (!areCompatibleSizes(lhsInner, rhsInner)) // matmul_c3
    return OpError(location, ErrorKind::Value, "MatMul")
           << "the contracted sizes must be equal, but got " << lhsInner
           << " and " << rhsInner << " for shapes [" << lhs.getShape()
           << "] and [" << rhs.getShape() << "]";
  shape.push_back(lhs.getDimSize(transposeLhs ? rank - 1 : rank - 2));
  shape.push_back(rhs.getDimSize(transposeRhs ? rank - 2 : rank - 1));
  inferred.push_back(RankedTensorType::get(shape, lhs.getElementType()));
  return success();
}

SmallVector<utils::IteratorType> MatMulOp::getIteratorTypes() {
  int64_t rank = cast<RankedTensorType>(getType()).getRank();
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators.push_back(utils::IteratorType::reduction);
  return iterators;
}

SmallVector<AffineMap> MatMulOp::getStructuredIndexingMaps() {
  // Loops: batch dimensions, row i, column j, contraction k.
  MLIRContext *context = getContext();
  unsigned rank = cast<RankedTensorType>(getType()).getRank();
  auto mapOf = [&](unsigned row, unsigned column, bool transposed) {
    SmallVector<AffineExpr> exprs;
    for (unsigned dim = 0; dim < rank - 2; ++dim)
      exprs.push_back(getAffineDimExpr(dim, context));
    exprs.push_back(getAffineDimExpr(transposed ? column : row, context));
    exprs.push_back(getAffineDimExpr(transposed ? row : column, context));
    return AffineMap::get(rank + 1, 0, exprs, context);
  };
  unsigned i = rank - 2, j = rank - 1, k = rank;
  return {mapOf(i, k, getTransposeLhs()), mapOf(k, j, getTransposeRhs()),
          mapOf(i, j, false)};
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

namespace {

/// Positions of the dimensions of an image batch in a layout.
struct ImageDims {
  explicit ImageDims(ImageLayout layout)
      : channels(layout == ImageLayout::nchw ? 1 : 3),
        height(layout == ImageLayout::nchw ? 2 : 1) {}
  int64_t spatial(unsigned dim) const { return height + dim; }

  int64_t channels, height;
};

} // namespace

/// Infers the type of conv2d from types and attributes; shared by the gradients'
/// verifiers, which check that conv2d would have had their cotangent's type.
template <typename Attrs>
static FailureOr<RankedTensorType>
inferConv2D(std::optional<Location> location, RankedTensorType input,
            RankedTensorType weight, Attrs attrs) {
  StringRef name = "Conv2D";
  if (input.getRank() != 4 || weight.getRank() != 4) // conv2d_c1
    return OpError(location, ErrorKind::Value, name)
           << "input and weight must have rank 4, but got shapes ["
           << input.getShape() << "] and [" << weight.getShape() << "]";
  if (input.getElementType() != weight.getElementType()) // conv2d_c1
    return OpError(location, ErrorKind::Type, name)
           << "input and weight must have the same dtype, but got "
           << input.getElementType() << " and " << weight.getElementType();
  WindowAttrs window{weight.getShape().take_back(2), attrs.getStrides(),
                     attrs.getPadding(), attrs.getDilations()};
  if (failed(verifyWindow(location, name, window))) // conv2d_c2
    return failure();
  ImageDims dims(attrs.getLayout());
  int64_t groups = attrs.getGroups();
  int64_t channels = input.getDimSize(dims.channels);
  int64_t outputs = weight.getDimSize(0);
  auto divides = [&](int64_t size) {
    return groups > 0 && (ShapedType::isDynamic(size) || size % groups == 0);
  };
  if (!divides(channels) || !divides(outputs)) // conv2d_c3
    return OpError(location, ErrorKind::Value, name)
           << "the number of groups, " << groups << ", must divide the "
           << channels << " input channels and the " << outputs
           << " output channels";
  int64_t perGroup = weight.getDimSize(1);
  if (!ShapedType::isDynamic(perGroup) &&
      !areCompatibleSizes(channels, perGroup * groups)) // conv2d_c4
    return OpError(location, ErrorKind::Value, name)
           << "the input has " << channels << " channels, but the weight takes "
           << perGroup * groups;
  SmallVector<int64_t> shape(4);
  shape[0] = input.getDimSize(0);
  shape[dims.channels] = outputs;
  for (unsigned dim : {0u, 1u}) {
    int64_t size = input.getDimSize(dims.spatial(dim));
    shape[dims.spatial(dim)] = getWindowedSize(window, dim, size);
    if (shape[dims.spatial(dim)] == 0) // conv2d_c5
      return OpError(location, ErrorKind::Value, name)
             << "the dilated kernel is larger than the padded input: input ["
             << input.getShape() << "], weight [" << weight.getShape() << "]";
  }
  return RankedTensorType::get(shape, input.getElementType());
}

LogicalResult Conv2DOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  auto type =
      inferConv2D(location, cast<RankedTensorType>(adaptor.getInput().getType()),
                  cast<RankedTensorType>(adaptor.getWeight().getType()), adaptor);
  if (failed(type))
    return failure();
  inferred.push_back(*type);
  return success();
}

/// Checks that the linear map whose transpose `op` is has the cotangent's type.
static LogicalResult verifyTransposeOf(Operation *op, StringRef name,
                                       FailureOr<RankedTensorType> forward,
                                       Type cotangent) {
  if (failed(forward))
    return failure();
  if (areCompatibleTensorTypes(*forward, cotangent))
    return success();
  return OpError(op->getLoc(), ErrorKind::Value, name)
         << "the cotangent must have the type of the forward result, "
         << *forward << ", but got " << cotangent;
}

LogicalResult Conv2DInputGradOp::verify() {
  auto forward = inferConv2D(getLoc(), cast<RankedTensorType>(getType()),
                             cast<RankedTensorType>(getWeight().getType()), *this);
  if (failed(verifyTransposeOf(*this, "Conv2DInputGrad", forward,
                               getCotangent().getType()))) // conv2d_input_grad_c1
    return failure();
  return verifyDynamicSizes(*this, getDynamicSizes().size());
}

LogicalResult Conv2DWeightGradOp::verify() {
  auto forward =
      inferConv2D(getLoc(), cast<RankedTensorType>(getInput().getType()),
                  cast<RankedTensorType>(getType()), *this);
  if (failed(verifyTransposeOf(*this, "Conv2DWeightGrad", forward,
                               getCotangent().getType()))) // conv2d_weight_grad_c1
    return failure();
  return verifyDynamicSizes(*this, getDynamicSizes().size());
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

template <typename Attrs>
static FailureOr<RankedTensorType>
inferPool2D(std::optional<Location> location, StringRef name,
            RankedTensorType input, Attrs attrs) {
  if (input.getRank() != 4) // max_pool2d_c1, avg_pool2d_c1
    return OpError(location, ErrorKind::Value, name)
           << "the input must have rank 4, but got shape [" << input.getShape()
           << "]";
  int64_t noDilation[] = {1, 1};
  WindowAttrs window{attrs.getWindow(), attrs.getStrides(), attrs.getPadding(),
                     noDilation};
  if (failed(verifyWindow(location, name, window))) // max_pool2d_c2, avg_pool2d_c2
    return failure();
  ImageDims dims(attrs.getLayout());
  SmallVector<int64_t> shape(input.getShape());
  for (unsigned dim : {0u, 1u}) {
    int64_t extent = window.window[dim];
    int64_t padding =
        std::max(window.padding[2 * dim], window.padding[2 * dim + 1]);
    if (extent < 1 || padding >= extent) // max_pool2d_c3, avg_pool2d_c3
      return OpError(location, ErrorKind::Value, name)
             << "padding must be less than the window, but got window ["
             << window.window << "] and padding [" << window.padding << "]";
    int64_t &size = shape[dims.spatial(dim)];
    if (size == 0) // max_pool2d_c3: every window would lie outside.
      return OpError(location, ErrorKind::Value, name)
             << "the image must have elements, but got shape ["
             << input.getShape() << "]";
    size = getWindowedSize(window, dim, size);
    if (size == 0) // max_pool2d_c4, avg_pool2d_c4
      return OpError(location, ErrorKind::Value, name)
             << "the window [" << window.window
             << "] is larger than the padded input [" << input.getShape() << "]";
  }
  return RankedTensorType::get(shape, input.getElementType());
}

LogicalResult MaxPool2DOp::inferReturnTypes(MLIRContext *context,
                                            std::optional<Location> location,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &inferred) {
  auto type = inferPool2D(
      location, "MaxPool", cast<RankedTensorType>(adaptor.getInput().getType()),
      adaptor);
  if (failed(type))
    return failure();
  inferred.push_back(*type);
  inferred.push_back(type->clone(IntegerType::get(context, 64)));
  return success();
}

LogicalResult AvgPool2DOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> location,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &inferred) {
  auto type = inferPool2D(
      location, "AvgPool", cast<RankedTensorType>(adaptor.getInput().getType()),
      adaptor);
  if (failed(type))
    return failure();
  inferred.push_back(*type);
  return success();
}

LogicalResult AvgPool2DGradOp::verify() {
  auto forward = inferPool2D(getLoc(), "AvgPoolGrad",
                             cast<RankedTensorType>(getType()), *this);
  if (failed(verifyTransposeOf(*this, "AvgPoolGrad", forward,
                               getCotangent().getType()))) // avg_pool2d_grad_c1
    return failure();
  return verifyDynamicSizes(*this, getDynamicSizes().size()); // avg_pool2d_grad_c2
}

/// Infers pool_gather: the indices' shape, batch and channels being the input's.
static FailureOr<RankedTensorType>
inferPoolGather(std::optional<Location> location, RankedTensorType input,
                RankedTensorType indices, ImageLayout layout) {
  int64_t channels = ImageDims(layout).channels;
  if (input.getRank() != 4 || indices.getRank() != 4 ||
      !areCompatibleSizes(input.getDimSize(0), indices.getDimSize(0)) ||
      !areCompatibleSizes(input.getDimSize(channels),
                          indices.getDimSize(channels))) // pool_gather_c1
    return OpError(location, ErrorKind::Value, "PoolGather")
           << "input and indices must have rank 4 and equal batch and channels, "
              "but got shapes ["
           << input.getShape() << "] and [" << indices.getShape() << "]";
  return indices.clone(input.getElementType());
}

LogicalResult PoolGatherOp::inferReturnTypes(MLIRContext *,
                                             std::optional<Location> location,
                                             Adaptor adaptor,
                                             SmallVectorImpl<Type> &inferred) {
  auto type = inferPoolGather(
      location, cast<RankedTensorType>(adaptor.getInput().getType()),
      cast<RankedTensorType>(adaptor.getIndices().getType()),
      adaptor.getLayout());
  if (failed(type))
    return failure();
  inferred.push_back(*type);
  return success();
}

LogicalResult PoolScatterOp::verify() {
  auto forward = inferPoolGather(
      getLoc(), cast<RankedTensorType>(getType()),
      cast<RankedTensorType>(getIndices().getType()), getLayout());
  if (failed(verifyTransposeOf(*this, "PoolScatter", forward,
                               getInput().getType()))) // pool_scatter_c1
    return failure();
  return verifyDynamicSizes(*this, getDynamicSizes().size()); // pool_scatter_c2
}
