//===- AllocatorTest.cpp - Caching allocator --------------------*- C++ -*-===//
//
// Size classes, alignment, reuse, limits, counters and errors.
//
//===----------------------------------------------------------------------===//
#include "RuntimeTest.h"

#include "mindir/Runtime/Allocator.h"

#include <cstring>
#include <random>

using namespace mindrt;

namespace {
using AllocatorTest = RuntimeTest;

uintptr_t address(void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}
} // namespace

TEST(SizeClassesTest, ClassIsTheSmallestThatFits) {
  for (int i = 0; i < SizeClasses::kCount; ++i) {
    EXPECT_EQ(SizeClasses::classOf(SizeClasses::bytesOf(i)), i);
    if (i + 1 < SizeClasses::kCount) {
      EXPECT_EQ(SizeClasses::classOf(SizeClasses::bytesOf(i) + 1), i + 1);
    }
  }
  EXPECT_EQ(SizeClasses::classOf(0), 0);
  EXPECT_EQ(SizeClasses::bytesOf(SizeClasses::kCount - 1),
            SizeClasses::kMaxBytes);
}

TEST_F(AllocatorTest, BlocksAreAlignedAndWritable) {
  for (int64_t bytes : {0, 1, 63, 64, 65, 1000, 4096, 100000, 2000000, 2097151,
                        2097152, 2097153, 9000000}) {
    void *pointer = mindrt_alloc(bytes);
    ASSERT_NE(pointer, nullptr);
    EXPECT_EQ(address(pointer) % 64, 0u);
    if (bytes >= CachingAllocator::kHugePage) {
      EXPECT_EQ(address(pointer) % CachingAllocator::kHugePage, 0u);
    }
    std::memset(pointer, 0xab, static_cast<size_t>(bytes));
    mindrt_free(pointer);
  }
}

TEST_F(AllocatorTest, LargerAlignments) {
  for (int64_t alignment : {1, 8, 64, 128, 4096, 1 << 21}) {
    void *pointer = mindrt_aligned_alloc(alignment, 100);
    ASSERT_NE(pointer, nullptr);
    EXPECT_EQ(address(pointer) % static_cast<uintptr_t>(alignment), 0u);
    mindrt_free(pointer);
  }
  for (int64_t alignment : {0, -64, 3, 1 << 22}) {
    EXPECT_EQ(mindrt_aligned_alloc(alignment, 100), nullptr);
    EXPECT_EQ(mindrt_last_error_code(), MINDRT_VALUE_ERROR);
  }
}

TEST_F(AllocatorTest, SteadyStateMakesNoSystemAllocation) {
  auto step = [] {
    for (int64_t bytes : {100, 5000, 3000000, 100}) {
      void *first = mindrt_alloc(bytes), *second = mindrt_alloc(bytes);
      mindrt_free(first);
      mindrt_free(second);
    }
  };
  step();
  mindrt_allocator_reset_stats();
  step();
  EXPECT_EQ(stats().system_allocations, 0);
  EXPECT_EQ(stats().pool_allocations, 8);
}

TEST_F(AllocatorTest, CountsLiveAndPeakBytes) {
  MindrtAllocatorStats before = stats();
  mindrt_allocator_reset_stats();
  void *first = mindrt_alloc(1000), *second = mindrt_alloc(500);
  mindrt_free(first);
  EXPECT_EQ(stats().live_bytes, before.live_bytes + 500);
  EXPECT_EQ(stats().live_blocks, before.live_blocks + 1);
  EXPECT_EQ(stats().peak_bytes, before.live_bytes + 1500);
  mindrt_free(second);
  EXPECT_EQ(stats().live_bytes, before.live_bytes);
}

TEST_F(AllocatorTest, LimitEvictsTheIdlestClass) {
  mindrt_allocator_trim();
  EXPECT_EQ(stats().cached_bytes, 0);
  mindrt_allocator_set_cache_limit(10 << 20);
  for (int64_t mebibytes : {3, 4, 5, 6})
    mindrt_free(mindrt_alloc(mebibytes << 20));
  EXPECT_LE(stats().cached_bytes, 10 << 20);
  // The last one freed is kept, the first one went.
  mindrt_allocator_reset_stats();
  void *recent = mindrt_alloc(6 << 20), *old = mindrt_alloc(3 << 20);
  EXPECT_EQ(stats().pool_allocations, 1);
  EXPECT_EQ(stats().system_allocations, 1);
  mindrt_free(recent);
  mindrt_free(old);
  mindrt_allocator_set_cache_limit(0);
  EXPECT_EQ(stats().cached_bytes, 0);
  mindrt_free(mindrt_alloc(64));
  EXPECT_EQ(stats().cached_bytes, 0);
}

TEST_F(AllocatorTest, OutOfMemoryIsAnError) {
  for (int64_t bytes : {int64_t(1) << 43, int64_t(1) << 62, int64_t(-1)}) {
    mindrt_clear_error();
#if defined(__SANITIZE_ADDRESS__)
    if (bytes == int64_t(1) << 43)
      continue; // The sanitizer would need shadow memory for it.
#endif
    if (void *pointer = mindrt_alloc(bytes)) {
      mindrt_free(pointer); // Address space without limit.
      continue;
    }
    EXPECT_EQ(mindrt_last_error_code(), MINDRT_MEMORY_ERROR);
    EXPECT_NE(std::strstr(mindrt_last_error_message(), "out of memory"),
              nullptr);
  }
  EXPECT_EQ(_mlir_memref_to_llvm_alloc(~uint64_t(0)), nullptr);
}

TEST_F(AllocatorTest, DoubleFreeIsReported) {
  for (int64_t bytes : {100, 4 << 20}) {
    mindrt_clear_error();
    void *pointer = mindrt_alloc(bytes);
    mindrt_free(pointer);
    EXPECT_EQ(mindrt_last_error_code(), MINDRT_OK);
    mindrt_free(pointer);
    EXPECT_EQ(mindrt_last_error_code(), MINDRT_VALUE_ERROR);
  }
  mindrt_clear_error();
  mindrt_free(nullptr);
  EXPECT_EQ(mindrt_last_error_code(), MINDRT_OK);
}

TEST_F(AllocatorTest, HooksOfBufferizedCode) {
  void *first = _mlir_memref_to_llvm_alloc(100);
  void *second = _mlir_memref_to_llvm_aligned_alloc(64, 100);
  EXPECT_NE(first, second);
  _mlir_memref_to_llvm_free(first);
  _mlir_memref_to_llvm_free(second);
}

TEST_F(AllocatorTest, ThreadsDoNotShareBlocks) {
  onThreads(8, [](int id) {
    std::minstd_rand random(static_cast<unsigned>(id) + 1);
    std::vector<std::pair<unsigned char *, size_t>> held;
    for (int i = 0; i < 2000; ++i) {
      size_t bytes = random() % 3 ? random() % 5000 : random() % (1 << 20);
      auto *block = static_cast<unsigned char *>(
          mindrt_alloc(static_cast<int64_t>(bytes)));
      ASSERT_NE(block, nullptr);
      if (bytes) {
        block[0] = block[bytes - 1] = static_cast<unsigned char>(id);
      }
      held.emplace_back(block, bytes);
      if (held.size() > 20) {
        auto [oldest, size] = held.front();
        if (size) {
          ASSERT_EQ(oldest[0], id);
          ASSERT_EQ(oldest[size - 1], id);
        }
        mindrt_free(oldest);
        held.erase(held.begin());
      }
    }
    for (auto [block, size] : held)
      mindrt_free(block);
  });
  mindrt_allocator_trim();
}
