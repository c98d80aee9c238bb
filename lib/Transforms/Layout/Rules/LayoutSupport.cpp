//===- LayoutSupport.cpp - what layout rules share ------------------------===//
//
// Attributes, types and sizes in another order of dimensions.
//
//===----------------------------------------------------------------------===//

#include "LayoutSupport.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::mindir;

int64_t Transposed::move(int64_t dim) const {
  return llvm::find(permutation, dim) - permutation.begin();
}

SmallVector<int64_t> Transposed::reorder(ArrayRef<int64_t> entries) const {
  return applyPermutation(entries, permutation);
}

SmallVector<Value> Transposed::reorder(ValueRange entries) const {
  SmallVector<Value> values(entries);
  return applyPermutation(ArrayRef<Value>(values), permutation);
}

RankedTensorType Transposed::reorder(Type type) const {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.clone(reorder(tensor.getShape()));
}

SmallVector<Value> Transposed::reorderSizes(Type type, ValueRange sizes) const {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<Value> ofDims(tensor.getRank());
  for (auto [dim, value] : llvm::enumerate(ofDims))
    if (tensor.isDynamicDim(dim)) {
      value = sizes.front();
      sizes = sizes.drop_front();
    }
  SmallVector<Value> result;
  for (int64_t dim : permutation)
    if (ofDims[dim])
      result.push_back(ofDims[dim]);
  return result;
}

SmallVector<Value>
Transposed::build(ArrayRef<NamedAttribute> attributes) const {
  LayoutCarriers carriers =
      cast<LayoutOpInterface>(op).getLayoutCarriers(permutation.size());
  SmallVector<Type> types;
  for (auto [result, carries] : llvm::zip(op->getResults(), carriers.results))
    types.push_back(carries ? reorder(result.getType()) : result.getType());
  auto isSize = [](Value value) { return value.getType().isIndex(); };
  SmallVector<Value> inputs(llvm::make_filter_range(
      operands, [&](Value value) { return !isSize(value); }));
  SmallVector<Value> sizes(llvm::make_filter_range(operands, isSize));
  if (!sizes.empty() && carriers.results.front())
    sizes = reorderSizes(op->getResult(0).getType(), sizes);
  llvm::append_range(inputs, sizes);
  NamedAttrList list(op->getAttrs());
  for (NamedAttribute attribute : attributes)
    list.set(attribute.getName(), attribute.getValue());
  OperationState state(op->getLoc(), op->getName(), inputs, types, list);
  return llvm::to_vector_of<Value>(builder.create(state)->getResults());
}

NamedAttribute Transposed::movedAxis(StringRef name) const {
  int64_t axis = op->getAttrOfType<IntegerAttr>(name).getInt();
  return attribute(name, builder.getI64IntegerAttr(move(axis)));
}

NamedAttribute Transposed::reordered(StringRef name) const {
  auto entries = op->getAttrOfType<DenseI64ArrayAttr>(name);
  return attribute(name, builder.getDenseI64ArrayAttr(reorder(entries.asArrayRef())));
}

NamedAttribute Transposed::movedAxes(StringRef name) const {
  SmallVector<int64_t> axes;
  for (int64_t axis : op->getAttrOfType<DenseI64ArrayAttr>(name).asArrayRef())
    axes.push_back(move(axis));
  llvm::sort(axes);
  return attribute(name, builder.getDenseI64ArrayAttr(axes));
}

LayoutCarriers mindir::carryNone(Operation *op) {
  return {SmallVector<bool>(op->getNumOperands(), false),
          SmallVector<bool>(op->getNumResults(), false)};
}

LayoutCarriers mindir::carrySameRank(Operation *op, int64_t rank) {
  auto carries = [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getRank() == rank;
  };
  return {llvm::map_to_vector(op->getOperandTypes(), carries),
          llvm::map_to_vector(op->getResultTypes(), carries)};
}

SmallVector<Value> mindir::keepAttributes(const Transposed &t) { return t.build(); }

SmallVector<Value> mindir::moveAxis(const Transposed &t) {
  return t.build(t.movedAxis("axis"));
}
