//===- RuntimeBinding.cpp - the runtime's settings in Python --------------===//
//
// Counters of the allocator, threads, and interruption by Ctrl-C.
//
//===----------------------------------------------------------------------===//
#include "Bindings.h"
#include "Errors.h"

#include "mindir-c/Runtime.h"
#include "mindir/Runtime/Status.h"

namespace py = pybind11;
using namespace mlir::mindir::python;

static py::dict getStatistics() {
  MindrtAllocatorStats stats;
  mindrt_allocator_stats(&stats);
  py::dict result;
  result["live_bytes"] = stats.live_bytes;
  result["peak_bytes"] = stats.peak_bytes;
  result["live_blocks"] = stats.live_blocks;
  result["cached_bytes"] = stats.cached_bytes;
  result["system_allocations"] = stats.system_allocations;
  result["pool_allocations"] = stats.pool_allocations;
  result["tape_nodes"] = mindrt_tape_live_nodes();
  return result;
}

void mlir::mindir::python::bindRuntime(py::module_ &module) {
  module.def("statistics", &getStatistics,
             "Counters of the allocator: live_bytes, peak_bytes, live_blocks, "
             "cached_bytes, system_allocations, pool_allocations; tape_nodes.");
  module.def("reset_statistics", &mindrt_allocator_reset_stats,
             "Zeroes the allocation counters; the peak becomes what is live.");
  module.def("trim", &mindrt_allocator_trim,
             "Returns memory kept for reuse to the system.");
  module.def(
      "set_num_threads",
      [](int64_t count) {
        if (mindrt_set_num_threads(count) != MINDRT_OK)
          raiseStatus(mindrt::lastError());
      },
      py::arg("count"), "Threads of compiled code and libraries, at least 1.");
  module.def("get_num_threads", &mindrt_get_num_threads);
}
