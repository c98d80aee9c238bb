//===- Collectives.h - collectives from their definitions -----------------===//
//
// Device grids, the value of a collective given all inputs of a group, and how a
// tensor is cut into the parts of a sharding and joined again.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_REFERENCE_COLLECTIVES_H
#define MINDIR_REFERENCE_COLLECTIVES_H

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Reference/Tensor.h"

#include "llvm/Support/Error.h"

namespace mlir::mindir::reference {

/// The extents of a device grid. Devices are numbered in row-major order.
class GridShape {
public:
  explicit GridShape(ArrayRef<int64_t> extents) : extents(extents) {}
  ArrayRef<int64_t> getExtents() const { return extents; }
  int64_t getNumDevices() const;
  /// The devices that differ from `device` only along `axes`, in group order: the
  /// last axis listed runs fastest. Axes must be distinct ones of the grid.
  SmallVector<int64_t> getGroup(int64_t device, ArrayRef<int64_t> axes) const;
  /// The number of devices of a group along `axes`.
  int64_t getGroupSize(ArrayRef<int64_t> axes) const;
  /// Where `device` stands in its group along `axes`.
  int64_t getPosition(int64_t device, ArrayRef<int64_t> axes) const;

private:
  SmallVector<int64_t> getIndex(int64_t device) const;

  SmallVector<int64_t> extents;
};

/// What a collective op gives the device at `position` of a group whose devices
/// gave `inputs`; a text that says why not, if shapes differ or do not divide.
llvm::Expected<Tensor> computeCollective(Operation *op,
                                         ArrayRef<const Tensor *> inputs,
                                         int64_t position);

/// The part of `whole` that `device` holds; all of it for a null sharding.
llvm::Expected<Tensor> getShard(const Tensor &whole, ShardingAttr sharding,
                                const GridShape &grid, int64_t device);

/// Joins the parts that the devices hold. Replicas that differ are an error.
llvm::Expected<Tensor> joinShards(ArrayRef<const Tensor *> shards,
                                  ShardingAttr sharding, const GridShape &grid);

/// The type of the whole, of which `part` is a device's part.
RankedTensorType getWholeType(RankedTensorType part, ShardingAttr sharding,
                              const GridShape &grid);

} // namespace mlir::mindir::reference

#endif // MINDIR_REFERENCE_COLLECTIVES_H
