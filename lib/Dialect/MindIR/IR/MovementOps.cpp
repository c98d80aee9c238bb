//===- MovementOps.cpp - movement of elements -----------------------------===//
//
// Inference, verification and folding of ops that move elements.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Dialect/MindIR/IR/ShapedOp.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

#define GET_OP_CLASSES
#include "mindir/Dialect/MindIR/IR/MovementOps.cpp.inc"

using namespace mlir;
using namespace mlir::mindir;

static RankedTensorType getTensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===----------------------------------------------------------------------===//
// Given shapes
//===----------------------------------------------------------------------===//

LogicalResult mindir::verifyDynamicSizes(Operation *op, size_t numDynamicSizes) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (static_cast<size_t>(type.getNumDynamicDims()) == numDynamicSizes)
    return success();
  return op->emitOpError("expected one dynamic size for each of the ")
         << type.getNumDynamicDims() << " unknown sizes of " << type
         << ", but got " << numDynamicSizes;
}

SmallVector<OpFoldResult> mindir::getMixedSizes(OpBuilder &builder, Location loc,
                                                Value value) {
  return tensor::getMixedSizes(builder, loc, value);
}

SmallVector<Value> mindir::getDynamicSizes(OpBuilder &builder, Location loc,
                                           Value value) {
  SmallVector<Value> sizes;
  RankedTensorType type = getTensorType(value);
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(tensor::DimOp::create(builder, loc, value, dim));
  return sizes;
}

static LogicalResult verifySameElementType(Operation *op, StringRef name,
                                           Type input, Type result) {
  if (getElementTypeOrSelf(input) == getElementTypeOrSelf(result))
    return success();
  return OpError(op->getLoc(), ErrorKind::Type, name)
         << "the dtype must stay " << getElementTypeOrSelf(input)
         << ", but the result has " << getElementTypeOrSelf(result);
}

//===----------------------------------------------------------------------===//
// Reshape, broadcast, transpose
//===----------------------------------------------------------------------===//

LogicalResult ReshapeOp::verify() {
  RankedTensorType input = getTensorType(getInput());
  RankedTensorType result = getType();
  if (failed(verifySameElementType(*this, "Reshape", input, result))) // reshape_c3
    return failure();
  if (input.hasStaticShape() && result.hasStaticShape() &&
      input.getNumElements() != result.getNumElements()) // reshape_c1
    return OpError(getLoc(), ErrorKind::Value, "Reshape")
           << "the number of elements must stay " << input.getNumElements()
           << ", but shape [" << result.getShape() << "] has "
           << result.getNumElements();
  return verifyDynamicSizes(*this, getDynamicSizes().size()); // reshape_c2
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  bool isStatic = getType().hasStaticShape();
  if (isStatic && getInput().getType() == getType())
    return getInput();
  if (auto input = getInput().getDefiningOp<ReshapeOp>()) {
    getInputMutable().assign(input.getInput());
    return getResult();
  }
  auto constant = dyn_cast_or_null<DenseElementsAttr>(adaptor.getInput());
  return constant && isStatic ? OpFoldResult(constant.reshape(getType()))
                              : OpFoldResult();
}

LogicalResult BroadcastToOp::verify() {
  RankedTensorType input = getTensorType(getInput());
  RankedTensorType result = getType();
  if (failed(verifySameElementType(*this, "BroadcastTo", input, result)))
    return failure(); // broadcast_to_c3
  int64_t offset = result.getRank() - input.getRank();
  bool fits = offset >= 0;
  for (int64_t dim = 0; fits && dim < input.getRank(); ++dim) { // broadcast_to_c1
    int64_t size = input.getDimSize(dim);
    fits = size == 1 || areCompatibleSizes(size, result.getDimSize(dim + offset));
  }
  if (!fits)
    return OpError(getLoc(), ErrorKind::Value, "BroadcastTo")
           << "shape [" << input.getShape() << "] does not broadcast to ["
           << result.getShape() << "]";
  return verifyDynamicSizes(*this, getDynamicSizes().size()); // broadcast_to_c2
}

SmallVector<AffineMap> BroadcastToOp::getStructuredIndexingMaps() {
  MLIRContext *context = getContext();
  RankedTensorType input = getTensorType(getInput());
  int64_t rank = getType().getRank();
  SmallVector<AffineExpr> exprs;
  for (int64_t dim = 0; dim < input.getRank(); ++dim)
    exprs.push_back(input.getDimSize(dim) == 1
                        ? getAffineConstantExpr(0, context)
                        : getAffineDimExpr(dim + rank - input.getRank(), context));
  return {AffineMap::get(rank, 0, exprs, context),
          AffineMap::getMultiDimIdentityMap(rank, context)};
}

OpFoldResult BroadcastToOp::fold(FoldAdaptor adaptor) {
  bool isStatic = getType().hasStaticShape();
  if (isStatic && getInput().getType() == getType())
    return getInput();
  auto constant = dyn_cast_or_null<SplatElementsAttr>(adaptor.getInput());
  return constant && isStatic ? OpFoldResult(constant.resizeSplat(getType()))
                              : OpFoldResult();
}

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> location,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &inferred) {
  RankedTensorType input = getTensorType(adaptor.getInput());
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  if (static_cast<int64_t>(permutation.size()) != input.getRank() ||
      !isPermutationVector(permutation)) // transpose_c1
    return OpError(location, ErrorKind::Value, "Transpose")
           << "expected a permutation of the " << input.getRank()
           << " dimensions, but got [" << permutation << "]";
  inferred.push_back(
      RankedTensorType::get(applyPermutation(input.getShape(), permutation),
                            input.getElementType()));
  return success();
}

SmallVector<AffineMap> TransposeOp::getStructuredIndexingMaps() {
  // Result dimension i is input dimension permutation[i].
  SmallVector<unsigned> permutation(getPermutation().begin(),
                                    getPermutation().end());
  auto toInput = AffineMap::getPermutationMap(permutation, getContext());
  return {inversePermutation(toInput),
          AffineMap::getMultiDimIdentityMap(permutation.size(), getContext())};
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  if (isIdentityPermutation(getPermutation()) &&
      getInput().getType() == getType())
    return getInput();
  if (auto input = getInput().getDefiningOp<TransposeOp>()) {
    setPermutation(applyPermutation(input.getPermutation(), getPermutation()));
    getInputMutable().assign(input.getInput());
    return getResult();
  }
  auto constant = dyn_cast_or_null<SplatElementsAttr>(adaptor.getInput());
  return constant && getType().hasStaticShape()
             ? OpFoldResult(constant.resizeSplat(getType()))
             : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// Slice, reverse, pad, concat
//===----------------------------------------------------------------------===//

/// The number of elements from `start` to before `limit` by `stride`.
static int64_t getSliceSize(int64_t size, int64_t start, int64_t limit,
                            int64_t stride) {
  if (limit == SliceOp::kEnd)
    limit = size;
  if (ShapedType::isDynamic(limit))
    return ShapedType::kDynamic;
  return (limit - start + stride - 1) / stride;
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> location,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &inferred) {
  RankedTensorType input = getTensorType(adaptor.getInput());
  ArrayRef<int64_t> starts = adaptor.getStarts(), limits = adaptor.getLimits(),
                    strides = adaptor.getStrides();
  size_t rank = input.getRank();
  if (starts.size() != rank || limits.size() != rank ||
      strides.size() != rank) // slice_c1
    return OpError(location, ErrorKind::Value, "Slice")
           << "expected " << rank << " starts, limits and strides, but got "
           << starts.size() << ", " << limits.size() << " and "
           << strides.size();
  SmallVector<int64_t> shape;
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t size = input.getDimSize(dim);
    bool toEnd = limits[dim] == kEnd;
    int64_t limit = toEnd ? size : limits[dim];
    if (strides[dim] < 1) // slice_c2
      return OpError(location, ErrorKind::Value, "Slice")
             << "strides must be at least 1, but got [" << strides << "]";
    bool inRange = starts[dim] >= 0 &&
                   (ShapedType::isDynamic(limit) || starts[dim] <= limit) &&
                   (ShapedType::isDynamic(size) || limit <= size);
    if (!inRange) // slice_c3
      return OpError(location, ErrorKind::Value, "Slice")
             << "the range [" << starts[dim] << ", " << limit
             << ") does not lie inside dimension " << dim << " of size " << size;
    shape.push_back(getSliceSize(size, starts[dim], limit, strides[dim]));
  }
  inferred.push_back(RankedTensorType::get(shape, input.getElementType()));
  return success();
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  bool isWhole = llvm::all_of(getStarts(), [](int64_t s) { return s == 0; }) &&
                 llvm::all_of(getStrides(), [](int64_t s) { return s == 1; });
  auto input = getTensorType(getInput());
  for (auto [limit, size] : llvm::zip(getLimits(), input.getShape()))
    isWhole &= limit == kEnd || limit == size;
  if (isWhole && input == getType())
    return getInput();
  auto constant = dyn_cast_or_null<SplatElementsAttr>(adaptor.getInput());
  return constant && getType().hasStaticShape()
             ? OpFoldResult(constant.resizeSplat(getType()))
             : OpFoldResult();
}

LogicalResult ReverseOp::verify() { // reverse_c1
  int64_t rank = getTensorType(getInput()).getRank();
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t axis : getAxes()) {
    if (failed(verifyAxis(getLoc(), "ReverseV2", axis, rank)))
      return failure();
    if (!seen.insert(axis).second)
      return OpError(getLoc(), ErrorKind::Value, "ReverseV2")
             << "axes must be distinct, but got [" << getAxes() << "]";
  }
  return success();
}

LogicalResult PadOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> location,
                                      Adaptor adaptor,
                                      SmallVectorImpl<Type> &inferred) {
  RankedTensorType input = getTensorType(adaptor.getInput());
  RankedTensorType value = getTensorType(adaptor.getValue());
  size_t rank = input.getRank();
  ArrayRef<int64_t> low = adaptor.getLow(), high = adaptor.getHigh(),
                    interior = adaptor.getInterior();
  auto isBad = [&](ArrayRef<int64_t> counts) {
    return counts.size() != rank ||
           llvm::any_of(counts, [](int64_t count) { return count < 0; });
  };
  if (isBad(low) || isBad(high) || isBad(interior)) // pad_c1
    return OpError(location, ErrorKind::Value, "Pad")
           << "expected " << rank << " counts, none negative, but got low ["
           << low << "], high [" << high << "], interior [" << interior << "]";
  if (value.getRank() != 0 ||
      value.getElementType() != input.getElementType()) // pad_c2
    return OpError(location, ErrorKind::Type, "Pad")
           << "the padding value must be a scalar of dtype "
           << input.getElementType() << ", but got " << value;
  SmallVector<int64_t> shape;
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t size = input.getDimSize(dim);
    shape.push_back(ShapedType::isDynamic(size)
                        ? size
                        : size + std::max<int64_t>(size - 1, 0) * interior[dim] +
                              low[dim] + high[dim]);
  }
  inferred.push_back(RankedTensorType::get(shape, input.getElementType()));
  return success();
}

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  if (adaptor.getInputs().empty()) // concat_c1
    return OpError(location, ErrorKind::Value, "Concat")
           << "expected at least one input, but got none";
  RankedTensorType first = getTensorType(adaptor.getInputs().front());
  int64_t axis = adaptor.getAxis();
  if (failed(verifyAxis(location, "Concat", axis, first.getRank())))
    return failure();
  SmallVector<int64_t> shape(first.getShape());
  shape[axis] = 0;
  for (Value input : adaptor.getInputs()) { // concat_c2
    RankedTensorType type = getTensorType(input);
    if (type.getElementType() != first.getElementType())
      return OpError(location, ErrorKind::Type, "Concat")
             << "the inputs must have the same dtype, but got "
             << first.getElementType() << " and " << type.getElementType();
    bool fits = type.getRank() == first.getRank();
    for (int64_t dim = 0; fits && dim < type.getRank(); ++dim) {
      int64_t size = type.getDimSize(dim);
      if (dim != axis && !areCompatibleSizes(shape[dim], size))
        fits = false;
      else if (dim != axis)
        shape[dim] = mergeSizes(shape[dim], size);
      else if (ShapedType::isDynamic(size) || ShapedType::isDynamic(shape[axis]))
        shape[axis] = ShapedType::kDynamic;
      else
        shape[axis] += size;
    }
    if (!fits)
      return OpError(location, ErrorKind::Value, "Concat")
             << "the inputs must have equal shapes off axis " << axis
             << ", but got [" << first.getShape() << "] and ["
             << type.getShape() << "]";
  }
  inferred.push_back(RankedTensorType::get(shape, first.getElementType()));
  return success();
}

//===----------------------------------------------------------------------===//
// Blocks at dynamic positions
//===----------------------------------------------------------------------===//

/// Checks that a block fits an input, and that each dimension has a start.
static LogicalResult verifyBlock(Operation *op, StringRef name,
                                 RankedTensorType input, RankedTensorType block,
                                 size_t numStarts) {
  if (static_cast<int64_t>(numStarts) != input.getRank())
    return OpError(op->getLoc(), ErrorKind::Value, name)
           << "expected one start for each of the " << input.getRank()
           << " dimensions, but got " << numStarts;
  if (failed(verifySameElementType(op, name, input, block)))
    return failure();
  bool fits = block.getRank() == input.getRank();
  for (int64_t dim = 0; fits && dim < input.getRank(); ++dim)
    fits = block.isDynamicDim(dim) || input.isDynamicDim(dim) ||
           block.getDimSize(dim) <= input.getDimSize(dim);
  if (fits)
    return success();
  return OpError(op->getLoc(), ErrorKind::Value, name)
         << "a block of shape [" << block.getShape()
         << "] does not fit a tensor of shape [" << input.getShape() << "]";
}

LogicalResult DynamicSliceOp::verify() { // dynamic_slice_c1, _c3
  if (failed(verifyBlock(*this, "Slice", getTensorType(getInput()), getType(),
                         getStarts().size())))
    return failure();
  return verifyDynamicSizes(*this, getDynamicSizes().size()); // dynamic_slice_c2
}

LogicalResult DynamicUpdateSliceOp::verify() { // dynamic_update_slice_c1, _c2
  return verifyBlock(*this, "SliceUpdate", getTensorType(getInput()),
                     getTensorType(getUpdate()), getStarts().size());
}
