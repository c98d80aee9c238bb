//===- Parallel.h - Thread pool and interruption ----------------*- C++ -*-===//
//
// Parallel loops on libgomp's threads, which oneDNN shares, and the flag by
// which Ctrl-C stops a run.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_RUNTIME_PARALLEL_H
#define MINDIR_RUNTIME_PARALLEL_H

#include "mindir-c/Runtime.h"

#include <type_traits>

namespace mindrt {

/// `body(lo, hi)` over chunks of [0, n); see `mindrt_parallel_for`.
template <typename Body>
int parallelFor(int64_t n, int64_t grain, Body &&body) {
  auto run = [](void *context, int64_t lo, int64_t hi) {
    (*static_cast<std::remove_reference_t<Body> *>(context))(lo, hi);
  };
  return mindrt_parallel_for(run, &body, n, grain);
}

/// Makes OpenMP regions that the calling thread opens, and so library calls,
/// use the runtime's number of threads. OpenMP keeps that number per thread.
void useRuntimeThreads() noexcept;

} // namespace mindrt

#endif // MINDIR_RUNTIME_PARALLEL_H
