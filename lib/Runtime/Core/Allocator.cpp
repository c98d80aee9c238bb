//===- Allocator.cpp - Caching allocator ----------------------------------===//
//
// Small blocks are 64 bytes of header and the data, at an address that is 64
// modulo 128; large ones are mappings at multiples of 2 MiB, described in a
// table. An address therefore tells which of the two it is.
//
//===----------------------------------------------------------------------===//
#include "mindir/Runtime/Allocator.h"
#include "mindir/Runtime/Status.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address))
#endif

using namespace mindrt;

/// Values of Block::state; anything else is not a block of ours.
static constexpr uint64_t kLive = 0x6d696e6472746c76;
static constexpr uint64_t kKept = 0x6d696e6472746b70;
static constexpr int64_t kHeader = 64;

static bool isLarge(const void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer) % CachingAllocator::kHugePage ==
         0;
}

//===----------------------------------------------------------------------===//
// Blocks from the system
//===----------------------------------------------------------------------===//

/// A mapping of `bytes` at a multiple of 2 MiB on huge pages where there are
/// some, or null.
static void *mapLarge(int64_t bytes) {
  size_t padded = static_cast<size_t>(bytes + CachingAllocator::kHugePage);
  void *base = mmap(nullptr, padded, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED)
    return nullptr;
  uintptr_t begin = reinterpret_cast<uintptr_t>(base);
  uintptr_t mask = CachingAllocator::kHugePage - 1;
  uintptr_t aligned = (begin + mask) & ~mask;
  uintptr_t end = aligned + static_cast<uintptr_t>(bytes);
  if (aligned != begin)
    munmap(base, aligned - begin);
  if (end != begin + padded)
    munmap(reinterpret_cast<void *>(end), begin + padded - end);
  // Advice only: without transparent huge pages ordinary ones do.
  madvise(reinterpret_cast<void *>(aligned), static_cast<size_t>(bytes),
          MADV_HUGEPAGE);
  return reinterpret_cast<void *>(aligned);
}

CachingAllocator::Block *
CachingAllocator::newSmallBlock(int sizeClass) noexcept {
  static_assert(sizeof(Block) <= kHeader, "the header must hold a Block");
  size_t bytes = static_cast<size_t>(SizeClasses::bytesOf(sizeClass) + kHeader);
  bytes = (bytes + 127) & ~size_t(127);
  char *base = static_cast<char *>(std::aligned_alloc(128, bytes));
  if (!base)
    return nullptr;
  return new (base) Block{kKept, sizeClass, 0, base + kHeader, nullptr, nullptr, nullptr};
}

CachingAllocator::Block *
CachingAllocator::newLargeBlock(int sizeClass) noexcept {
  int64_t bytes = SizeClasses::bytesOf(sizeClass);
  void *data = mapLarge(bytes);
  Block *block = data ? new (std::nothrow) Block : nullptr;
  if (!block) {
    if (data)
      munmap(data, static_cast<size_t>(bytes));
    return nullptr;
  }
  *block = Block{kKept, sizeClass, 0, data, nullptr, nullptr, nullptr};
  try {
    std::lock_guard<std::mutex> lock(largeMutex);
    largeBlocks.emplace(data, block);
  } catch (const std::bad_alloc &) {
    munmap(data, static_cast<size_t>(bytes));
    delete block;
    return nullptr;
  }
  return block;
}

CachingAllocator::Block *CachingAllocator::newBlock(int sizeClass) noexcept {
  Block *block = SizeClasses::bytesOf(sizeClass) < kHugePage
                     ? newSmallBlock(sizeClass)
                     : newLargeBlock(sizeClass);
  if (block)
    ++systemAllocations;
  return block;
}

void CachingAllocator::destroy(Block *block) noexcept {
  int64_t bytes = SizeClasses::bytesOf(block->sizeClass);
  ASAN_UNPOISON_MEMORY_REGION(block->data, static_cast<size_t>(bytes));
  if (!isLarge(block->data)) {
    std::free(block);
    return;
  }
  {
    std::lock_guard<std::mutex> lock(largeMutex);
    largeBlocks.erase(block->data);
  }
  munmap(block->data, static_cast<size_t>(bytes));
  delete block;
}

//===----------------------------------------------------------------------===//
// Kept blocks
//===----------------------------------------------------------------------===//

CachingAllocator::Block *CachingAllocator::takeKept(int sizeClass) noexcept {
  FreeList &list = freeLists[static_cast<size_t>(sizeClass)];
  std::lock_guard<std::mutex> lock(list.mutex);
  list.lastUse = ++clock;
  Block *block = list.head;
  if (!block)
    return nullptr;
  list.head = block->next;
  --list.count;
  cachedBytes -= SizeClasses::bytesOf(sizeClass);
  ++poolAllocations;
  return block;
}

void CachingAllocator::keep(Block *block) noexcept {
  int64_t bytes = SizeClasses::bytesOf(block->sizeClass);
  if (bytes > cacheLimit.load())
    return destroy(block);
  ASAN_POISON_MEMORY_REGION(block->data, static_cast<size_t>(bytes));
  FreeList &list = freeLists[static_cast<size_t>(block->sizeClass)];
  {
    std::lock_guard<std::mutex> lock(list.mutex);
    list.lastUse = ++clock;
    block->next = list.head;
    list.head = block;
    ++list.count;
    cachedBytes += bytes;
  }
  if (cachedBytes.load() > cacheLimit.load())
    evictDownTo(cacheLimit.load());
}

/// Frees kept blocks of the class that was idle longest, while more than
/// `bytes` are kept. False when nothing is kept.
bool CachingAllocator::evictIdlest(int64_t bytes) noexcept {
  FreeList *idlest = nullptr;
  for (FreeList &list : freeLists)
    if (list.count.load() > 0 &&
        (!idlest || list.lastUse.load() < idlest->lastUse.load()))
      idlest = &list;
  if (!idlest)
    return false;
  while (cachedBytes.load() > bytes) {
    Block *block = nullptr;
    {
      std::lock_guard<std::mutex> lock(idlest->mutex);
      block = idlest->head;
      if (!block)
        break;
      idlest->head = block->next;
      --idlest->count;
      cachedBytes -= SizeClasses::bytesOf(block->sizeClass);
    }
    destroy(block);
  }
  return true;
}

void CachingAllocator::evictDownTo(int64_t bytes) noexcept {
  while (cachedBytes.load() > bytes && evictIdlest(bytes)) {
  }
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

/// Bytes of memory that the process may use: the machine's, or those that its
/// control group is limited to.
static int64_t getSystemMemory() {
  int64_t pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
  int64_t bytes = pages > 0 && page > 0 ? pages * page : int64_t(1) << 32;
  for (const char *path : {"/sys/fs/cgroup/memory.max",
                           "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    long long limit = 0;
    std::FILE *file = std::fopen(path, "r");
    if (!file)
      continue;
    // "max" where there is no limit.
    if (std::fscanf(file, "%lld", &limit) == 1 && limit > 0)
      bytes = std::min<int64_t>(bytes, limit);
    std::fclose(file);
  }
  return bytes;
}

CachingAllocator::CachingAllocator() {
  int64_t memory = getSystemMemory();
  cacheLimit = memory / 4;
  memoryLimit = memory;
}

CachingAllocator &CachingAllocator::get() {
  static CachingAllocator *allocator = new CachingAllocator();
  return *allocator;
}

/// Whether live blocks and `bytes` more stay below the limit. The system would grant
/// more, and end the process when it is touched.
bool CachingAllocator::fits(int64_t bytes) noexcept {
  return bytes >= 0 && bytes <= SizeClasses::kMaxBytes &&
         bytes <= memoryLimit.load() - liveBytes.load();
}

void CachingAllocator::recordLive(int64_t bytes) noexcept {
  int64_t live = liveBytes += bytes;
  ++liveBlocks;
  int64_t peak = peakBytes.load();
  while (live > peak && !peakBytes.compare_exchange_weak(peak, live)) {
  }
}

void *CachingAllocator::allocate(int64_t bytes, int64_t alignment) noexcept {
  if (alignment <= 0 || (alignment & (alignment - 1)) ||
      alignment > kHugePage) {
    publish(Status::error(ErrorCode::Value,
                          "alignment %lld: expected a power of two of at most "
                          "2 MiB",
                          static_cast<long long>(alignment)));
    return nullptr;
  }
  Block *block = nullptr;
  if (fits(bytes)) {
    int sizeClass = SizeClasses::classOf(
        alignment > kAlignment ? std::max(bytes, kHugePage) : bytes);
    block = takeKept(sizeClass);
    if (!block)
      block = newBlock(sizeClass);
    if (!block) {
      trim();
      block = newBlock(sizeClass);
    }
  }
  if (!block) {
    publish(Status::error(
        ErrorCode::Memory,
        "out of memory: cannot allocate %lld bytes (%lld in use, limit %lld); use "
        "a smaller batch or release tensors",
        static_cast<long long>(bytes), static_cast<long long>(liveBytes.load()),
        static_cast<long long>(memoryLimit.load())));
    return nullptr;
  }
  block->state = kLive;
  block->requested = bytes;
  ASAN_POISON_MEMORY_REGION(
      block->data, static_cast<size_t>(SizeClasses::bytesOf(block->sizeClass)));
  ASAN_UNPOISON_MEMORY_REGION(block->data, static_cast<size_t>(bytes));
  recordLive(bytes);
  return block->data;
}

CachingAllocator::Block *CachingAllocator::find(void *pointer) noexcept {
  uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
  Block *block = nullptr;
  if (isLarge(pointer)) {
    std::lock_guard<std::mutex> lock(largeMutex);
    auto found = largeBlocks.find(pointer);
    block = found == largeBlocks.end() ? nullptr : found->second;
  } else if (address % 128 == 64) {
    block = reinterpret_cast<Block *>(address - kHeader);
  }
  return block && block->state == kLive ? block : nullptr;
}

int64_t CachingAllocator::sizeOf(void *pointer) noexcept {
  Block *block = pointer ? find(pointer) : nullptr;
  return block ? block->requested : -1;
}

void CachingAllocator::deallocate(void *pointer) noexcept {
  if (!pointer)
    return;
  Block *block = find(pointer);
  if (!block) {
    publish(Status::error(ErrorCode::Value,
                          "free of %p, which is not a live allocation",
                          pointer));
    return;
  }
  unlist(block);
  liveBytes -= block->requested;
  --liveBlocks;
  block->state = kKept;
  keep(block);
}

//===----------------------------------------------------------------------===//
// Lists of blocks
//===----------------------------------------------------------------------===//

void CachingAllocator::unlist(Block *block) noexcept {
  if (!block->listed)
    return;
  *block->listed = block->nextListed;
  if (block->nextListed)
    block->nextListed->listed = block->listed;
  block->listed = nullptr;
}

void *CachingAllocator::allocateOn(BlockList &list, int64_t bytes) noexcept {
  void *data = allocate(bytes);
  Block *block = data ? find(data) : nullptr;
  if (!block)
    return nullptr;
  block->nextListed = list.first;
  block->listed = &list.first;
  if (list.first)
    list.first->listed = &block->nextListed;
  list.first = block;
  return data;
}

void CachingAllocator::deallocateAll(BlockList &list) noexcept {
  while (list.first)
    deallocate(list.first->data);
}

void CachingAllocator::forget(BlockList &list) noexcept {
  while (list.first)
    unlist(list.first);
}

//===----------------------------------------------------------------------===//
// Counters and limits
//===----------------------------------------------------------------------===//

MindrtAllocatorStats CachingAllocator::stats() const {
  return {liveBytes.load(),   peakBytes.load(),         liveBlocks.load(),
          cachedBytes.load(), systemAllocations.load(), poolAllocations.load()};
}

void CachingAllocator::resetStats() {
  systemAllocations = 0;
  poolAllocations = 0;
  peakBytes = liveBytes.load();
}

void CachingAllocator::setCacheLimit(int64_t bytes) noexcept {
  cacheLimit = std::max<int64_t>(bytes, 0);
  evictDownTo(cacheLimit.load());
}
