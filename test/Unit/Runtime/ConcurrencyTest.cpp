//===- ConcurrencyTest.cpp - Everything at once ---------------------------===//
//
// Eight threads use all parts of the runtime at the same time.
//
//===----------------------------------------------------------------------===//
#include "RuntimeTest.h"

#include "mindir/Runtime/Parallel.h"
#include "mindir/Runtime/Random.h"
#include "mindir/Runtime/Storage.h"
#ifdef MINDIR_ENABLE_ONEDNN
#include "OneDNNTest.h"
#endif

#include <numeric>

using namespace mindrt;

namespace {
using ConcurrencyTest = RuntimeTest;

void useTape(int id) {
  MindrtTape *tape = nullptr;
  for (int64_t i = 0; i < 20; ++i) {
    int64_t value = i * id;
    MindrtMemRef memref{MINDRT_INT64, 0, &value, nullptr, nullptr};
    ASSERT_EQ(mindrt_tape_push(tape, &memref, &tape), 0);
  }
  MindrtBuffer buffer;
  ASSERT_EQ(mindrt_tape_pop(tape, MINDRT_INT64, 0, &buffer, &tape), 0);
  EXPECT_EQ(*static_cast<int64_t *>(buffer.aligned), 19 * id);
  mindrt_free(buffer.allocated);
  mindrt_tape_release(tape);
}

void useStorageAndLoop() {
  StorageRef storage = StorageRef::allocate(100000 * 4);
  auto *data = static_cast<uint32_t *>(storage->getData());
  ASSERT_EQ(mindrt_random_bits(3, 0, data, 100000), 0);
  EXPECT_EQ(data[4], philoxBlock(3, 1)[0]);
  ASSERT_EQ(parallelFor(100000, 1000,
                        [&](int64_t lo, int64_t hi) {
                          for (int64_t i = lo; i < hi; ++i)
                            data[i] = static_cast<uint32_t>(i);
                        }),
            0);
  EXPECT_EQ(std::accumulate(data, data + 100000, uint64_t(0)),
            uint64_t(99999) * 50000);
}

#ifdef MINDIR_ENABLE_ONEDNN
void useLibrary(int64_t size) {
  TestTensor a({size, size}), b({size, size}), c({size, size});
  std::fill(a.data.begin(), a.data.end(), 1.0f);
  std::fill(b.data.begin(), b.data.end(), 2.0f);
  ASSERT_EQ(callLibrary("onednn.matmul", {&a, &b, &c}, {0}), 0);
  for (float value : c.data)
    ASSERT_EQ(value, static_cast<float>(2 * size));
  TestTensor x({1, size, 6, 6}), w({8, size, 3, 3}), y({1, 8, 4, 4});
  std::fill(x.data.begin(), x.data.end(), 1.0f);
  std::fill(w.data.begin(), w.data.end(), 1.0f);
  ASSERT_EQ(callLibrary("onednn.convolution", {&x, &w, &y},
                        {2, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0}),
            0);
  for (float value : y.data)
    ASSERT_EQ(value, static_cast<float>(9 * size));
}
#else
void useLibrary(int64_t) {}
#endif
} // namespace

TEST_F(ConcurrencyTest, EightThreadsUseEverything) {
#ifdef __SANITIZE_THREAD__
  // libgomp's own synchronisation is invisible to the sanitizer.
  mindrt_set_num_threads(1);
#else
  mindrt_set_num_threads(2);
#endif
  onThreads(8, [](int id) {
    for (int round = 0; round < 20; ++round) {
      useTape(id);
      useStorageAndLoop();
      useLibrary(8 + round % 5);
      mindrt_set_error(MINDRT_VALUE_ERROR, std::to_string(id).c_str());
      EXPECT_EQ(mindrt_last_error_message(), std::to_string(id));
      if (id == 0)
        mindrt_allocator_trim();
    }
  });
}
