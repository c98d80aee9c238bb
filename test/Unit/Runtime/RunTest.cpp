//===- RunTest.cpp - runs of generated code that fail ---------------------===//
#include "RuntimeTest.h"

#include "mindir-c/Runtime.h"

#include <array>
#include <gtest/gtest.h>

namespace {
int64_t liveBytes() {
  MindrtAllocatorStats stats;
  mindrt_allocator_stats(&stats);
  return stats.live_bytes;
}

TEST(RunTest, WhatAFailedRunHoldsIsFreed) {
  int64_t before = liveBytes();
  int code = mindrt_run(
      [](void **) {
        _mlir_memref_to_llvm_alloc(1000);
        _mlir_memref_to_llvm_free(_mlir_memref_to_llvm_alloc(10));
        mindrt_check_bytes(1e30);
        FAIL() << "the run goes on";
      },
      nullptr);
  EXPECT_EQ(code, MINDRT_MEMORY_ERROR);
  EXPECT_EQ(liveBytes(), before);
}

TEST(RunTest, WhatASuccessfulRunReturnsLives) {
  void *result = nullptr;
  int64_t before = liveBytes();
  EXPECT_EQ(mindrt_run(
                [](void **pointers) {
                  *static_cast<void **>(pointers[0]) =
                      _mlir_memref_to_llvm_alloc(64);
                },
                std::array<void *, 1>{&result}.data()),
            MINDRT_OK);
  EXPECT_GT(liveBytes(), before);
  mindrt_free(result);
  EXPECT_EQ(liveBytes(), before);
}

TEST(RunTest, ARecordedErrorFailsTheRunAtItsEnd) {
  bool wentOn = false;
  int code = mindrt_run(
      [](void **pointers) {
        mindrt_set_error(MINDRT_INDEX_ERROR, "outside");
        *static_cast<bool *>(pointers[0]) = true;
      },
      std::array<void *, 1>{&wentOn}.data());
  EXPECT_TRUE(wentOn);
  EXPECT_EQ(code, MINDRT_INDEX_ERROR);
}

TEST(RunTest, FailEndsTheRun) {
  int code = mindrt_run(
      [](void **) {
        mindrt_fail(MINDRT_VALUE_ERROR, "sizes differ");
        FAIL() << "the run goes on";
      },
      nullptr);
  EXPECT_EQ(code, MINDRT_VALUE_ERROR);
  EXPECT_STREQ(mindrt_last_error_message(), "sizes differ");
}

void recurse(void **pointers) {
  mindrt_check_stack();
  volatile char frame[4096];
  frame[0] = 1;
  if (frame[0])
    recurse(pointers);
  frame[1] = frame[0];
}

TEST(RunTest, RecursionEndsBeforeTheStackDoes) {
  EXPECT_EQ(mindrt_run(recurse, nullptr), MINDRT_RECURSION_ERROR);
  EXPECT_EQ(mindrt_run([](void **) { mindrt_check_stack(); }, nullptr),
            MINDRT_OK);
}

TEST(RunTest, AnInterruptEndsALoop) {
  mindrt_request_interrupt();
  int code = mindrt_run(
      [](void **) {
        for (;;)
          mindrt_poll();
      },
      nullptr);
  mindrt_clear_interrupt();
  EXPECT_EQ(code, MINDRT_INTERRUPT);
}

TEST(RunTest, AMemoryLimitIsOutOfMemory) {
  int64_t limit = mindrt_allocator_memory_limit();
  mindrt_allocator_set_memory_limit(liveBytes() + (1 << 20));
  int code = mindrt_run([](void **) { _mlir_memref_to_llvm_alloc(2 << 20); },
                        nullptr);
  mindrt_allocator_set_memory_limit(limit);
  EXPECT_EQ(code, MINDRT_MEMORY_ERROR);
}
} // namespace
