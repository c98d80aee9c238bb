//===- Allocator.h - Caching allocator --------------------------*- C++ -*-===//
//
// A thread-safe pool of freed blocks in size classes. Fresh pages cost more
// than the arithmetic on them, so blocks are kept for reuse within a limit;
// blocks of 2 MiB and more lie on huge pages.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_RUNTIME_ALLOCATOR_H
#define MINDIR_RUNTIME_ALLOCATOR_H

#include "mindir-c/Runtime.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace mindrt {

/// Size classes: four per doubling, from 64 bytes to 2^44.
struct SizeClasses {
  static constexpr int kMinLog2 = 6;
  static constexpr int kMaxLog2 = 44;
  static constexpr int kCount = (kMaxLog2 - kMinLog2) * 4 + 1;
  static constexpr int64_t kMaxBytes = int64_t(1) << kMaxLog2;

  /// The smallest class that holds `bytes`, 0 <= bytes <= kMaxBytes.
  static int classOf(int64_t bytes);
  /// Bytes of a block of class `index`.
  static int64_t bytesOf(int index);
};

/// The allocator behind `mindrt_alloc`. All functions are thread safe.
class CachingAllocator {
  struct Block;

public:
  /// Blocks that are freed together, unless freed alone before. One thread at a
  /// time may use a list, or free a block that is on it.
  class BlockList {
    friend class CachingAllocator;
    Block *first = nullptr;
  };

  static constexpr int64_t kAlignment = 64;
  static constexpr int64_t kHugePage = int64_t(1) << 21;

  /// The process's allocator. It is never destroyed: static destructors may
  /// still free.
  static CachingAllocator &get();

  /// A block of `bytes` at `alignment` (a power of two <= 2 MiB), or null with
  /// the last error set.
  void *allocate(int64_t bytes, int64_t alignment = kAlignment) noexcept;
  /// Like `allocate`; the block is then on `list`.
  void *allocateOn(BlockList &list, int64_t bytes) noexcept;
  /// Frees the blocks that are on `list`.
  void deallocateAll(BlockList &list) noexcept;
  /// Takes the blocks off `list`: they live until they are freed one by one.
  static void forget(BlockList &list) noexcept;
  /// Takes a block back. A foreign address records an error and is left alone.
  void deallocate(void *pointer) noexcept;
  /// Requested size of the live block at `pointer`, -1 when there is none.
  int64_t sizeOf(void *pointer) noexcept;

  MindrtAllocatorStats stats() const;
  void resetStats();
  /// Returns all kept blocks to the system.
  void trim() noexcept { evictDownTo(0); }
  void setCacheLimit(int64_t bytes) noexcept;
  int64_t getCacheLimit() const { return cacheLimit.load(); }
  void setMemoryLimit(int64_t bytes) noexcept { memoryLimit = bytes; }
  int64_t getMemoryLimit() const { return memoryLimit.load(); }

private:
  CachingAllocator();

  /// What is known about a block: in front of a small block, in `largeBlocks`
  /// for a large one.
  struct Block {
    uint64_t state;
    int32_t sizeClass;
    int64_t requested;
    void *data;
    Block *next;
    /// The list that the block is on, if any: its neighbour, and what points here.
    Block *nextListed;
    Block **listed;
  };
  /// Kept blocks of one class; `lastUse` is a tick of `clock`.
  struct FreeList {
    std::mutex mutex;
    Block *head = nullptr;
    std::atomic<uint64_t> lastUse{0};
    std::atomic<int64_t> count{0};
  };

  static Block *newSmallBlock(int sizeClass) noexcept;
  Block *newLargeBlock(int sizeClass) noexcept;
  Block *newBlock(int sizeClass) noexcept;
  Block *takeKept(int sizeClass) noexcept;
  void keep(Block *block) noexcept;
  void destroy(Block *block) noexcept;
  Block *find(void *pointer) noexcept;
  void evictDownTo(int64_t bytes) noexcept;
  bool evictIdlest(int64_t bytes) noexcept;
  bool fits(int64_t bytes) noexcept;
  void recordLive(int64_t bytes) noexcept;
  static void unlist(Block *block) noexcept;

  std::array<FreeList, SizeClasses::kCount> freeLists;
  std::mutex largeMutex;
  std::unordered_map<void *, Block *> largeBlocks;
  std::atomic<uint64_t> clock{0};
  std::atomic<int64_t> cacheLimit;
  std::atomic<int64_t> memoryLimit;
  std::atomic<int64_t> liveBytes{0}, peakBytes{0}, liveBlocks{0};
  std::atomic<int64_t> cachedBytes{0};
  std::atomic<int64_t> systemAllocations{0}, poolAllocations{0};
};

} // namespace mindrt

#endif // MINDIR_RUNTIME_ALLOCATOR_H
