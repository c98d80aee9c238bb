//===- Parallel.cpp - Thread pool and interruption ------------------------===//
//
// A loop is a counter from which the threads of one OpenMP region draw chunks.
// The first failure of any chunk stops the loop and becomes the caller's.
//
//===----------------------------------------------------------------------===//
#include "mindir/Runtime/Parallel.h"
#include "mindir/Runtime/Run.h"
#include "mindir/Runtime/Status.h"

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdlib>
#include <mutex>
#include <omp.h>

using namespace mindrt;

/// 0: OpenMP's own default.
static std::atomic<int> gNumThreads{0};
static std::atomic<bool> gInterrupted{false};
/// Most grains in a chunk: some tenth of a second, so that Ctrl-C is answered.
static constexpr int64_t kMaxGrains = 4096;
static_assert(std::atomic<bool>::is_always_lock_free,
              "the flag is set in signal handlers");

namespace {
class ChunkedLoop {
public:
  ChunkedLoop(void (*fn)(void *, int64_t, int64_t), void *context, int64_t n,
              int64_t chunk)
      : fn(fn), context(context), n(n), chunk(chunk) {}

  /// Draws and runs chunks until there are none or one failed.
  void runChunks() noexcept {
    uint64_t serial = errorSerial();
    while (!stopped.load(std::memory_order_relaxed)) {
      int64_t lo = next.fetch_add(chunk, std::memory_order_relaxed);
      if (lo >= n)
        return;
      if (mindrt_check_interrupt() == MINDRT_OK)
        fn(context, lo, std::min(n, lo + chunk));
      if (errorSerial() != serial)
        return fail();
    }
  }

  /// Republishes the first failure on the calling thread.
  int finish() noexcept { return publish(failure); }

private:
  void fail() noexcept {
    std::lock_guard<std::mutex> lock(mutex);
    if (failure.ok())
      failure = Status::error(static_cast<ErrorCode>(mindrt_last_error_code()),
                              "%s", mindrt_last_error_message());
    stopped = true;
  }

  void (*fn)(void *, int64_t, int64_t);
  void *context;
  const int64_t n, chunk;
  std::atomic<int64_t> next{0};
  std::atomic<bool> stopped{false};
  std::mutex mutex;
  Status failure;
};
} // namespace

int mindrt_parallel_for(void (*fn)(void *, int64_t, int64_t), void *context,
                        int64_t n, int64_t grain) {
  if (n <= 0)
    return MINDRT_OK;
  grain = std::max<int64_t>(grain, 1);
  bool whole = n <= grain || omp_in_parallel();
  int64_t threads = whole ? 1 : mindrt_get_num_threads();
  // Four chunks a thread even out unequal speeds.
  int64_t chunk = whole ? n : std::max(grain, (n - 1) / (threads * 4) + 1);
  if (chunk / grain > kMaxGrains)
    chunk = grain * kMaxGrains;
  threads = std::min(threads, (n - 1) / chunk + 1);
  RunPause pause;
  ChunkedLoop loop(fn, context, n, chunk);
  if (whole || threads == 1) {
    loop.runChunks();
  } else {
#pragma omp parallel num_threads(static_cast<int>(threads))
    loop.runChunks();
  }
  return loop.finish();
}

int mindrt_set_num_threads(int64_t count) {
  constexpr int64_t limit = 4096;
  if (count < 1 || count > limit)
    return publish(Status::error(
        ErrorCode::Value, "number of threads %lld: expected 1 to %lld",
        static_cast<long long>(count), static_cast<long long>(limit)));
  gNumThreads = static_cast<int>(count);
  return MINDRT_OK;
}

/// What $MINDIR_NUM_THREADS says, if it is a number from 1 on; else OpenMP's choice.
static int getInitialThreads() noexcept {
  const char *text = std::getenv("MINDIR_NUM_THREADS");
  char *end = nullptr;
  long count = text ? std::strtol(text, &end, 10) : 0;
  bool isCount = count >= 1 && count <= INT_MAX && *end == '\0';
  return isCount ? static_cast<int>(count) : omp_get_max_threads();
}

int64_t mindrt_get_num_threads(void) {
  static const int initial = getInitialThreads();
  int count = gNumThreads.load(std::memory_order_relaxed);
  return count ? count : initial;
}

void mindrt::useRuntimeThreads() noexcept {
  int count = static_cast<int>(mindrt_get_num_threads());
  if (omp_get_max_threads() != count)
    omp_set_num_threads(count);
}

void mindrt_request_interrupt(void) { gInterrupted = true; }

void mindrt_clear_interrupt(void) { gInterrupted = false; }

int mindrt_check_interrupt(void) {
  if (!gInterrupted.load(std::memory_order_relaxed))
    return MINDRT_OK;
  return mindrt_set_error(MINDRT_INTERRUPT, "interrupted");
}
