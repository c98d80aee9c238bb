//===- Collectives.cpp - collectives from their definitions ---------------===//
//
// Plain loops over the elements of a group's tensors.
//
//===----------------------------------------------------------------------===//

#include "mindir/Reference/Collectives.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mlir::mindir;
using namespace mlir::mindir::reference;

//===----------------------------------------------------------------------===//
// GridShape
//===----------------------------------------------------------------------===//

int64_t GridShape::getNumDevices() const {
  int64_t count = 1;
  for (int64_t extent : extents)
    count *= extent;
  return count;
}

int64_t GridShape::getGroupSize(ArrayRef<int64_t> axes) const {
  int64_t count = 1;
  for (int64_t axis : axes)
    count *= extents[axis];
  return count;
}

SmallVector<int64_t> GridShape::getIndex(int64_t device) const {
  SmallVector<int64_t> index(extents.size());
  for (int64_t axis = extents.size() - 1; axis >= 0; --axis) {
    index[axis] = device % extents[axis];
    device /= extents[axis];
  }
  return index;
}

int64_t GridShape::getPosition(int64_t device, ArrayRef<int64_t> axes) const {
  SmallVector<int64_t> index = getIndex(device);
  int64_t position = 0;
  for (int64_t axis : axes)
    position = position * extents[axis] + index[axis];
  return position;
}

SmallVector<int64_t> GridShape::getGroup(int64_t device,
                                         ArrayRef<int64_t> axes) const {
  SmallVector<int64_t> groupExtents, group;
  for (int64_t axis : axes)
    groupExtents.push_back(extents[axis]);
  forEachIndex(groupExtents, [&](ArrayRef<int64_t> inGroup) {
    SmallVector<int64_t> index = getIndex(device);
    for (auto [axis, coordinate] : llvm::zip(axes, inGroup))
      index[axis] = coordinate;
    group.push_back(linearize(index, extents));
  });
  return group;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static llvm::Error makeError(const Twine &message) {
  return llvm::createStringError(message);
}

/// The part at `position` of `count` equal parts along `axis`.
static llvm::Expected<Tensor> slicePart(const Tensor &tensor, int64_t axis,
                                        int64_t position, int64_t count) {
  SmallVector<int64_t> shape(tensor.getShape());
  if (shape[axis] % count != 0)
    return makeError("dimension " + Twine(axis) + " has size " +
                     Twine(shape[axis]) + ", which " + Twine(count) +
                     " devices do not divide");
  shape[axis] /= count;
  Tensor part(tensor.getDType(), shape);
  int64_t to = 0;
  forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from(index);
    from[axis] += position * shape[axis];
    part.copyElement(to++, tensor, linearize(from, tensor.getShape()));
  });
  return part;
}

static Tensor joinParts(ArrayRef<const Tensor *> parts, int64_t axis) {
  SmallVector<int64_t> shape(parts.front()->getShape());
  int64_t extent = shape[axis];
  shape[axis] *= parts.size();
  Tensor result(parts.front()->getDType(), shape);
  for (auto [position, part] : llvm::enumerate(parts)) {
    int64_t from = 0;
    forEachIndex(part->getShape(), [&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> to(index);
      to[axis] += position * extent;
      result.copyElement(linearize(to, shape), *part, from++);
    });
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Combination
//===----------------------------------------------------------------------===//

static Real combineReals(ReduceKind kind, Real lhs, Real rhs) {
  if (kind == ReduceKind::sum)
    return lhs + rhs;
  if (kind == ReduceKind::prod)
    return lhs * rhs;
  if (std::isnan(lhs) || std::isnan(rhs))
    return std::isnan(lhs) ? lhs : rhs;
  return (kind == ReduceKind::max) == (lhs < rhs) ? rhs : lhs;
}

static Integer combineIntegers(ReduceKind kind, Integer lhs, Integer rhs) {
  if (kind == ReduceKind::sum)
    return addWrapping(lhs, rhs);
  if (kind == ReduceKind::prod)
    return multiplyWrapping(lhs, rhs);
  return (kind == ReduceKind::max) == (lhs < rhs) ? rhs : lhs;
}

static Tensor combine(ReduceKind kind, ArrayRef<const Tensor *> inputs) {
  const Tensor &first = *inputs.front();
  Tensor result(first.getDType(), first.getShape());
  for (int64_t i = 0, e = first.getNumElements(); i < e; ++i) {
    if (first.isFloat()) {
      Real value = first.getReal(i);
      for (const Tensor *input : inputs.drop_front())
        value = combineReals(kind, value, input->getReal(i));
      result.setReal(i, value);
      continue;
    }
    Integer value = first.getInteger(i);
    for (const Tensor *input : inputs.drop_front())
      value = combineIntegers(kind, value, input->getInteger(i));
    result.setInteger(i, value);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

static llvm::Expected<Tensor> exchange(AllToAllOp op,
                                       ArrayRef<const Tensor *> inputs,
                                       int64_t position) {
  std::vector<Tensor> received;
  for (const Tensor *input : inputs) {
    auto part = slicePart(*input, op.getSplitAxis(), position, inputs.size());
    if (!part)
      return part.takeError();
    received.push_back(std::move(*part));
  }
  SmallVector<const Tensor *> parts;
  for (const Tensor &part : received)
    parts.push_back(&part);
  return joinParts(parts, op.getConcatAxis());
}

llvm::Expected<Tensor>
reference::computeCollective(Operation *op, ArrayRef<const Tensor *> inputs,
                             int64_t position) {
  for (const Tensor *input : inputs)
    if (input->getShape() != inputs.front()->getShape())
      return makeError("the devices of a group gave " +
                       inputs.front()->getTypeText() + " and " +
                       input->getTypeText());
  int64_t count = inputs.size();
  return llvm::TypeSwitch<Operation *, llvm::Expected<Tensor>>(op)
      .Case([&](AllReduceOp op) { return combine(op.getKind(), inputs); })
      .Case([&](AllGatherOp op) { return joinParts(inputs, op.getAxis()); })
      .Case([&](AllSliceOp op) {
        return slicePart(*inputs[position], op.getAxis(), position, count);
      })
      .Case([&](ReduceScatterOp op) {
        return slicePart(combine(op.getKind(), inputs), op.getAxis(), position,
                         count);
      })
      .Case([&](AllToAllOp op) { return exchange(op, inputs, position); })
      .Default([](Operation *op) -> llvm::Expected<Tensor> {
        return makeError("'" + op->getName().getStringRef() +
                         "' is no collective");
      });
}

//===----------------------------------------------------------------------===//
// Shardings
//===----------------------------------------------------------------------===//

static ArrayRef<DenseI64ArrayAttr> getSplitAxes(ShardingAttr sharding) {
  return sharding ? sharding.getSplitAxes() : ArrayRef<DenseI64ArrayAttr>();
}

llvm::Expected<Tensor> reference::getShard(const Tensor &whole,
                                           ShardingAttr sharding,
                                           const GridShape &grid,
                                           int64_t device) {
  Tensor part = whole;
  for (auto [dim, axes] : llvm::enumerate(getSplitAxes(sharding))) {
    auto slice = slicePart(part, dim, grid.getPosition(device, axes),
                           grid.getGroupSize(axes));
    if (!slice)
      return slice.takeError();
    part = std::move(*slice);
  }
  return part;
}

/// Whether two tensors hold the same bits.
static bool areIdentical(const Tensor &lhs, const Tensor &rhs) {
  return lhs.getShape() == rhs.getShape() && lhs.toBytes() == rhs.toBytes();
}

llvm::Expected<Tensor> reference::joinShards(ArrayRef<const Tensor *> shards,
                                             ShardingAttr sharding,
                                             const GridShape &grid) {
  SmallVector<int64_t> shape(shards.front()->getShape());
  ArrayRef<DenseI64ArrayAttr> split = getSplitAxes(sharding);
  for (auto [dim, axes] : llvm::enumerate(split))
    shape[dim] *= grid.getGroupSize(axes);
  Tensor whole(shards.front()->getDType(), shape);
  for (auto [device, shard] : llvm::enumerate(shards)) {
    int64_t from = 0;
    forEachIndex(shard->getShape(), [&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> to(index);
      for (auto [dim, axes] : llvm::enumerate(split))
        to[dim] += grid.getPosition(device, axes) * shard->getShape()[dim];
      whole.copyElement(linearize(to, shape), *shard, from++);
    });
  }
  for (auto [device, shard] : llvm::enumerate(shards)) {
    auto part = getShard(whole, sharding, grid, device);
    if (!part)
      return part.takeError();
    if (!areIdentical(*part, *shard))
      return makeError("device " + Twine(device) +
                       " holds another replica than a later device");
  }
  return whole;
}

RankedTensorType reference::getWholeType(RankedTensorType part,
                                         ShardingAttr sharding,
                                         const GridShape &grid) {
  SmallVector<int64_t> shape(part.getShape());
  for (auto [dim, axes] : llvm::enumerate(getSplitAxes(sharding)))
    if (!ShapedType::isDynamic(shape[dim]))
      shape[dim] *= grid.getGroupSize(axes);
  return part.clone(shape);
}
