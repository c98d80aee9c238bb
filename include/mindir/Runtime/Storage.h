//===- Storage.h - Reference-counted bytes ----------------------*- C++ -*-===//
//
// Storage is what tensors share: bytes of the caching allocator, or foreign
// memory (numpy, dlpack) with its deleter, behind an intrusive atomic count.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_RUNTIME_STORAGE_H
#define MINDIR_RUNTIME_STORAGE_H

#include "mindir-c/Runtime.h"

#include <atomic>
#include <utility>

/// Defined at global scope because the C ABI names it.
struct MindrtStorage {
public:
  using Deleter = void (*)(void *pointer, void *context);

  MindrtStorage(void *data, int64_t bytes, Deleter deleter, void *context)
      : bytes(bytes), data(data), deleter(deleter), context(context) {}
  MindrtStorage(const MindrtStorage &) = delete;
  MindrtStorage &operator=(const MindrtStorage &) = delete;

  void *getData() const { return data; }
  int64_t getBytes() const { return bytes; }
  /// References now. 1 means that the caller is the only holder, and makes all
  /// writes of former holders visible.
  int64_t getUseCount() const { return count.load(std::memory_order_acquire); }

  void retain() noexcept { count.fetch_add(1, std::memory_order_relaxed); }
  /// Drops a reference; the last one runs the deleter and destroys the object.
  void release() noexcept;

private:
  ~MindrtStorage() = default;

  std::atomic<int64_t> count{1};
  int64_t bytes;
  void *data;
  Deleter deleter;
  void *context;
};

namespace mindrt {

using Storage = ::MindrtStorage;

/// An owning reference to a Storage.
class StorageRef {
public:
  StorageRef() = default;
  StorageRef(const StorageRef &other) : storage(other.storage) {
    if (storage)
      storage->retain();
  }
  StorageRef(StorageRef &&other) noexcept
      : storage(std::exchange(other.storage, nullptr)) {}
  StorageRef &operator=(StorageRef other) noexcept {
    std::swap(storage, other.storage);
    return *this;
  }
  ~StorageRef() {
    if (storage)
      storage->release();
  }

  /// Takes over one reference of `storage`, which may be null.
  static StorageRef adopt(Storage *storage) {
    StorageRef ref;
    ref.storage = storage;
    return ref;
  }
  /// New bytes of the caching allocator; null with the last error set when out
  /// of memory.
  static StorageRef allocate(int64_t bytes) {
    return adopt(mindrt_storage_allocate(bytes));
  }

  Storage *get() const { return storage; }
  Storage *operator->() const { return storage; }
  explicit operator bool() const { return storage != nullptr; }
  /// Gives the reference to the caller.
  Storage *take() { return std::exchange(storage, nullptr); }

private:
  Storage *storage = nullptr;
};

} // namespace mindrt

#endif // MINDIR_RUNTIME_STORAGE_H
