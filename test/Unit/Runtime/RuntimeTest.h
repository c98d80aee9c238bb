//===- RuntimeTest.h - Fixture of the runtime's tests -----------*- C++ -*-===//
//
// Every test starts without an error or interruption and must leave neither
// live allocations nor tapes behind.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_TEST_UNIT_RUNTIME_RUNTIMETEST_H
#define MINDIR_TEST_UNIT_RUNTIME_RUNTIMETEST_H

#include "mindir-c/Runtime.h"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

class RuntimeTest : public ::testing::Test {
protected:
  static MindrtAllocatorStats stats() {
    MindrtAllocatorStats result;
    mindrt_allocator_stats(&result);
    return result;
  }

  void SetUp() override {
    mindrt_clear_error();
    mindrt_clear_interrupt();
    liveBlocks = stats().live_blocks;
    liveNodes = mindrt_tape_live_nodes();
    cacheLimit = mindrt_allocator_cache_limit();
    numThreads = mindrt_get_num_threads();
  }

  void TearDown() override {
    EXPECT_EQ(stats().live_blocks, liveBlocks);
    EXPECT_EQ(mindrt_tape_live_nodes(), liveNodes);
    mindrt_clear_interrupt();
    mindrt_allocator_set_cache_limit(cacheLimit);
    mindrt_set_num_threads(numThreads);
  }

private:
  int64_t liveBlocks = 0, liveNodes = 0, cacheLimit = 0, numThreads = 1;
};

/// Runs `body(id)` on `count` threads at once and joins them.
template <typename Body> void onThreads(int count, Body body) {
  std::vector<std::thread> threads;
  for (int id = 0; id < count; ++id)
    threads.emplace_back([=] { body(id); });
  for (std::thread &thread : threads)
    thread.join();
}

#endif // MINDIR_TEST_UNIT_RUNTIME_RUNTIMETEST_H
