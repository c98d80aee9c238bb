//===- AllocatorCAPI.cpp - C ABI of the caching allocator -----------------===//
//
// The allocator's C functions and the hooks by which bufferized code reaches
// it.
//
//===----------------------------------------------------------------------===//
#include "mindir/Runtime/Allocator.h"

#include <limits>

using namespace mindrt;

/// Sizes beyond int64 become its maximum, which no allocation satisfies.
static int64_t saturate(uint64_t value) {
  constexpr uint64_t limit = std::numeric_limits<int64_t>::max();
  return static_cast<int64_t>(value > limit ? limit : value);
}

void *mindrt_alloc(int64_t bytes) {
  return CachingAllocator::get().allocate(bytes);
}

void *mindrt_aligned_alloc(int64_t alignment, int64_t bytes) {
  return CachingAllocator::get().allocate(bytes, alignment);
}

void mindrt_free(void *pointer) { CachingAllocator::get().deallocate(pointer); }

void mindrt_allocator_stats(MindrtAllocatorStats *stats) {
  *stats = CachingAllocator::get().stats();
}

void mindrt_allocator_reset_stats(void) {
  CachingAllocator::get().resetStats();
}

void mindrt_allocator_trim(void) { CachingAllocator::get().trim(); }

void mindrt_allocator_set_cache_limit(int64_t bytes) {
  CachingAllocator::get().setCacheLimit(bytes);
}

int64_t mindrt_allocator_cache_limit(void) {
  return CachingAllocator::get().getCacheLimit();
}

void mindrt_allocator_set_memory_limit(int64_t bytes) {
  CachingAllocator::get().setMemoryLimit(bytes);
}

int64_t mindrt_allocator_memory_limit(void) {
  return CachingAllocator::get().getMemoryLimit();
}

void *_mlir_memref_to_llvm_aligned_alloc(uint64_t alignment, uint64_t bytes) {
  return mindrt_aligned_alloc(saturate(alignment), saturate(bytes));
}

void _mlir_memref_to_llvm_free(void *pointer) { mindrt_free(pointer); }
