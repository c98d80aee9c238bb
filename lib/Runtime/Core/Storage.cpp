//===- Storage.cpp - Reference-counted bytes ------------------------------===//
//
// Storage over the allocator's blocks and over foreign memory.
//
//===----------------------------------------------------------------------===//
#include "mindir/Runtime/Storage.h"
#include "mindir/Runtime/Allocator.h"
#include "mindir/Runtime/Status.h"

using namespace mindrt;

void MindrtStorage::release() noexcept {
  // acq_rel: the deleter must see what other holders wrote before they left.
  if (count.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  if (deleter)
    deleter(data, context);
  delete this;
}

static void freeBlock(void *pointer, void *) { mindrt_free(pointer); }

/// A new Storage object, or null with the last error set.
static MindrtStorage *makeStorage(void *data, int64_t bytes,
                                  MindrtStorage::Deleter deleter,
                                  void *context) {
  if (bytes < 0) {
    publish(Status::error(ErrorCode::Value,
                          "storage of %lld bytes: expected a size >= 0",
                          static_cast<long long>(bytes)));
    return nullptr;
  }
  auto *storage =
      new (std::nothrow) MindrtStorage(data, bytes, deleter, context);
  if (!storage)
    publish(Status::error(ErrorCode::Memory, "out of memory"));
  return storage;
}

MindrtStorage *mindrt_storage_allocate(int64_t bytes) {
  void *data = mindrt_alloc(bytes);
  if (!data)
    return nullptr;
  MindrtStorage *storage = makeStorage(data, bytes, freeBlock, nullptr);
  if (!storage)
    mindrt_free(data);
  return storage;
}

MindrtStorage *mindrt_storage_adopt(void *pointer, int64_t bytes) {
  if (CachingAllocator::get().sizeOf(pointer) < bytes) {
    publish(Status::error(ErrorCode::Value,
                          "%p is not a live allocation of at least %lld bytes",
                          pointer, static_cast<long long>(bytes)));
    return nullptr;
  }
  return makeStorage(pointer, bytes, freeBlock, nullptr);
}

MindrtStorage *mindrt_storage_wrap(void *pointer, int64_t bytes,
                                   void (*deleter)(void *, void *),
                                   void *context) {
  return makeStorage(pointer, bytes, deleter, context);
}

void mindrt_storage_retain(MindrtStorage *storage) { storage->retain(); }

void mindrt_storage_release(MindrtStorage *storage) {
  if (storage)
    storage->release();
}

void *mindrt_storage_data(const MindrtStorage *storage) {
  return storage->getData();
}

int64_t mindrt_storage_bytes(const MindrtStorage *storage) {
  return storage->getBytes();
}

int64_t mindrt_storage_use_count(const MindrtStorage *storage) {
  return storage->getUseCount();
}
