//===- Array.h - Strided arrays over shared bytes ---------------*- C++ -*-===//
//
// An Array is what a tensor of the Python package holds, and what compiled code
// is called with: a dtype, sizes, strides and an offset over a Buffer. Arrays
// that share a Buffer are views of each other.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_RUNTIME_ARRAY_H
#define MINDIR_RUNTIME_ARRAY_H

#include "mindir/Runtime/DType.h"
#include "mindir/Runtime/Status.h"
#include "mindir/Runtime/Storage.h"

#include <atomic>
#include <memory>
#include <shared_mutex>
#include <vector>

namespace mindrt {

/// Bytes that arrays share. Whoever reads them in a compiled call holds the lock
/// shared, whoever writes them exclusively.
class Buffer {
public:
  explicit Buffer(StorageRef storage) : storage(std::move(storage)) {}

  const StorageRef &getStorage() const { return storage; }
  char *getData() const { return static_cast<char *>(storage->getData()); }
  int64_t getBytes() const { return storage->getBytes(); }
  /// The number of writes so far.
  uint64_t getVersion() const { return version.load(std::memory_order_relaxed); }
  void bumpVersion() { version.fetch_add(1, std::memory_order_relaxed); }
  std::shared_mutex &getMutex() { return mutex; }

private:
  StorageRef storage;
  std::atomic<uint64_t> version{0};
  std::shared_mutex mutex;
};

class Array {
public:
  using Sizes = std::vector<int64_t>;

  /// No array: the state before `allocate` or `create` succeed.
  Array() = default;

  /// A dense row-major array of undefined contents. Fails when out of memory or
  /// for negative or too large sizes.
  static Status allocate(DType dtype, Sizes sizes, Array &result);
  /// A view of `buffer`. Fails when an element would lie outside of it.
  static Status create(std::shared_ptr<Buffer> buffer, DType dtype, Sizes sizes,
                       Sizes strides, int64_t offset, Array &result);

  explicit operator bool() const { return buffer != nullptr; }
  const std::shared_ptr<Buffer> &getBuffer() const { return buffer; }
  DType getDType() const { return dtype; }
  const Sizes &getSizes() const { return sizes; }
  /// In elements.
  const Sizes &getStrides() const { return strides; }
  /// Of element [0, ..., 0] from the start of the buffer, in elements.
  int64_t getOffset() const { return offset; }
  int64_t getRank() const { return static_cast<int64_t>(sizes.size()); }
  int64_t getNumElements() const;
  int64_t getNumBytes() const { return getNumElements() * dtypeSize(dtype); }
  /// Address of element [0, ..., 0].
  char *getData() const {
    return buffer->getData() + offset * dtypeSize(dtype);
  }
  /// Whether the elements lie dense in row-major order.
  bool isContiguous() const;
  /// Whether no other array, and nothing else, holds the bytes.
  bool isSoleHolder() const {
    return buffer.use_count() == 1 && buffer->getStorage()->getUseCount() == 1;
  }
  /// The array as the C ABI's borrowed view of it.
  MindrtMemRef getMemRef() const;

  /// A fresh dense array with the same elements.
  Status copy(Array &result) const;
  /// Writes the elements of `source`, of equal dtype and sizes, which may overlap.
  Status assign(const Array &source);

private:
  std::shared_ptr<Buffer> buffer;
  DType dtype = DType::Bool;
  Sizes sizes, strides;
  int64_t offset = 0;
};

/// The strides of a dense row-major array.
std::vector<int64_t> denseStrides(const std::vector<int64_t> &sizes);

/// Copies the elements of `source` to `target`, of equal dtype and sizes, which
/// must not overlap.
void copyElements(const MindrtMemRef &source, const MindrtMemRef &target);

} // namespace mindrt

#endif // MINDIR_RUNTIME_ARRAY_H
