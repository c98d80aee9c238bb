//===- ParallelTest.cpp - Thread pool and interruption ----------*- C++ -*-===//
//
// Coverage of the index range, nesting, failures and interruption.
//
//===----------------------------------------------------------------------===//
#include "RuntimeTest.h"

#include "mindir/Runtime/Parallel.h"

#include <algorithm>
#include <atomic>
#include <mutex>

using namespace mindrt;

namespace {
using ParallelTest = RuntimeTest;
} // namespace

TEST_F(ParallelTest, CoversTheRangeOnce) {
  for (int64_t threads : {1, 2, 3, 8}) {
    ASSERT_EQ(mindrt_set_num_threads(threads), 0);
    EXPECT_EQ(mindrt_get_num_threads(), threads);
    for (int64_t n : {0, 1, 7, 64, 1000, 10007})
      for (int64_t grain : {-1, 1, 16, 100000}) {
        std::vector<std::atomic<int>> hits(static_cast<size_t>(n));
        ASSERT_EQ(parallelFor(n, grain,
                              [&](int64_t lo, int64_t hi) {
                                for (int64_t i = lo; i < hi; ++i)
                                  ++hits[static_cast<size_t>(i)];
                              }),
                  0);
        for (const std::atomic<int> &hit : hits)
          ASSERT_EQ(hit.load(), 1);
      }
  }
}

TEST_F(ParallelTest, ChunksRespectTheGrain) {
  mindrt_set_num_threads(4);
  std::mutex mutex;
  std::vector<int64_t> sizes;
  parallelFor(1000, 300, [&](int64_t lo, int64_t hi) {
    std::lock_guard<std::mutex> lock(mutex);
    sizes.push_back(hi - lo);
  });
  EXPECT_EQ(sizes.size(), 4u);
  EXPECT_EQ(std::count(sizes.begin(), sizes.end(), 300), 3);
}

TEST_F(ParallelTest, SmallLoopsRunInline) {
  mindrt_set_num_threads(4);
  std::thread::id caller = std::this_thread::get_id();
  int chunks = 0;
  parallelFor(100, 100, [&](int64_t lo, int64_t hi) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_EQ(hi - lo, 100);
    ++chunks;
  });
  EXPECT_EQ(chunks, 1);
}

TEST_F(ParallelTest, NestedLoopsRunInline) {
  mindrt_set_num_threads(4);
  std::atomic<int64_t> sum{0};
  parallelFor(64, 1, [&](int64_t lo, int64_t hi) {
    std::thread::id outer = std::this_thread::get_id();
    for (int64_t i = lo; i < hi; ++i)
      parallelFor(100, 1, [&](int64_t from, int64_t to) {
        EXPECT_EQ(std::this_thread::get_id(), outer);
        sum += to - from;
      });
  });
  EXPECT_EQ(sum.load(), 6400);
}

TEST_F(ParallelTest, FailureOfAChunkIsTheCallers) {
  for (int64_t threads : {1, 4}) {
    mindrt_set_num_threads(threads);
    mindrt_clear_error();
    int code = parallelFor(1000, 1, [](int64_t lo, int64_t) {
      if (lo > 0)
        mindrt_set_error(MINDRT_INDEX_ERROR, "bad row");
    });
    EXPECT_EQ(code, MINDRT_INDEX_ERROR);
    EXPECT_EQ(mindrt_last_error_code(), MINDRT_INDEX_ERROR);
    EXPECT_STREQ(mindrt_last_error_message(), "bad row");
    // An old error does not fail the next loop.
    EXPECT_EQ(parallelFor(1000, 1, [](int64_t, int64_t) {}), 0);
  }
}

TEST_F(ParallelTest, InterruptStopsTheLoop) {
  for (int64_t threads : {1, 4}) {
    mindrt_set_num_threads(threads);
    std::atomic<int64_t> done{0};
    int code = parallelFor(1 << 20, 1, [&](int64_t lo, int64_t hi) {
      mindrt_request_interrupt();
      done += hi - lo;
    });
    EXPECT_EQ(code, MINDRT_INTERRUPT);
    EXPECT_LT(done.load(), 1 << 20);
    EXPECT_EQ(mindrt_check_interrupt(), MINDRT_INTERRUPT);
    // Inline loops look too.
    EXPECT_EQ(parallelFor(1, 1, [](int64_t, int64_t) { FAIL(); }),
              MINDRT_INTERRUPT);
    mindrt_clear_interrupt();
    EXPECT_EQ(mindrt_check_interrupt(), 0);
  }
}

TEST_F(ParallelTest, ThreadCountIsChecked) {
  EXPECT_EQ(mindrt_set_num_threads(0), MINDRT_VALUE_ERROR);
  EXPECT_EQ(mindrt_set_num_threads(1 << 20), MINDRT_VALUE_ERROR);
}
