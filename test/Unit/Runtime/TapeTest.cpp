//===- TapeTest.cpp - Persistent stack of tensors ---------------*- C++ -*-===//
//
// Order, persistence, moves, errors and leaks of tapes.
//
//===----------------------------------------------------------------------===//
#include "RuntimeTest.h"

#include "mindir/Runtime/Allocator.h"

#include <cstring>

using namespace mindrt;

namespace {
using TapeTest = RuntimeTest;

/// A memref descriptor of rank R as generated code lays it out.
template <int R> struct Descriptor {
  MindrtBuffer head;
  int64_t sizes[R], strides[R];
};

MindrtTape *pushScalar(MindrtTape *tape, double value) {
  MindrtMemRef memref{MINDRT_FLOAT64, 0, &value, nullptr, nullptr};
  MindrtTape *result = nullptr;
  EXPECT_EQ(mindrt_tape_push(tape, &memref, &result), 0);
  return result;
}

double popScalar(MindrtTape *&tape) {
  MindrtBuffer buffer;
  EXPECT_EQ(mindrt_tape_pop(tape, MINDRT_FLOAT64, 0, &buffer, &tape), 0);
  double value = *static_cast<double *>(buffer.aligned);
  mindrt_free(buffer.allocated);
  return value;
}
} // namespace

TEST_F(TapeTest, LastInFirstOut) {
  MindrtTape *tape = mindrt_tape_empty();
  for (int i = 0; i < 100; ++i)
    tape = pushScalar(tape, i);
  EXPECT_EQ(mindrt_tape_size(tape), 100);
  EXPECT_EQ(mindrt_tape_live_nodes(), 100);
  for (int i = 100; i-- > 0;)
    EXPECT_EQ(popScalar(tape), i);
  EXPECT_EQ(tape, nullptr);
  EXPECT_EQ(mindrt_tape_size(tape), 0);
}

TEST_F(TapeTest, StridedValuesComeBackDense) {
  // The transpose of a 3x4 matrix, every second column: 2x3.
  int32_t matrix[12];
  for (int i = 0; i < 12; ++i)
    matrix[i] = i;
  int64_t sizes[] = {2, 3}, strides[] = {2, 4};
  MindrtMemRef value{MINDRT_INT32, 2, matrix, sizes, strides};
  MindrtTape *tape = nullptr;
  ASSERT_EQ(mindrt_tape_push(nullptr, &value, &tape), 0);
  matrix[0] = 99; // The tape holds a copy.
  Descriptor<2> out;
  ASSERT_EQ(mindrt_tape_pop(tape, MINDRT_INT32, 2, &out.head, &tape), 0);
  EXPECT_EQ(out.head.offset, 0);
  EXPECT_EQ(out.sizes[0], 2);
  EXPECT_EQ(out.sizes[1], 3);
  EXPECT_EQ(out.strides[0], 3);
  EXPECT_EQ(out.strides[1], 1);
  int32_t expected[] = {0, 4, 8, 2, 6, 10};
  EXPECT_EQ(std::memcmp(out.head.aligned, expected, sizeof(expected)), 0);
  mindrt_free(out.head.allocated);
}

TEST_F(TapeTest, EmptyTensors) {
  int64_t sizes[] = {5, 0}, strides[] = {0, 1};
  MindrtMemRef value{MINDRT_INT8, 2, nullptr, sizes, strides};
  MindrtTape *tape = nullptr;
  ASSERT_EQ(mindrt_tape_push(nullptr, &value, &tape), 0);
  Descriptor<2> out;
  ASSERT_EQ(mindrt_tape_pop(tape, MINDRT_INT8, 2, &out.head, &tape), 0);
  EXPECT_EQ(out.sizes[0], 5);
  EXPECT_EQ(out.sizes[1], 0);
  mindrt_free(out.head.allocated);
}

TEST_F(TapeTest, TapesAreValues) {
  MindrtTape *base = pushScalar(pushScalar(nullptr, 1), 2);
  MindrtTape *left = pushScalar(mindrt_tape_retain(base), 3);
  MindrtTape *right = pushScalar(mindrt_tape_retain(base), 4);
  EXPECT_EQ(mindrt_tape_live_nodes(), 4);
  EXPECT_EQ(popScalar(left), 3);
  EXPECT_EQ(popScalar(left), 2);
  EXPECT_EQ(popScalar(base), 2);
  EXPECT_EQ(popScalar(base), 1);
  EXPECT_EQ(popScalar(right), 4);
  EXPECT_EQ(popScalar(right), 2);
  EXPECT_EQ(popScalar(right), 1);
  EXPECT_EQ(popScalar(left), 1);
  EXPECT_EQ(left, nullptr);
}

TEST_F(TapeTest, LastHolderGetsTheValueMoved) {
  MindrtTape *tape = pushScalar(nullptr, 5);
  MindrtTape *shared = mindrt_tape_retain(tape);
  mindrt_allocator_reset_stats();
  EXPECT_EQ(popScalar(tape), 5);
  EXPECT_EQ(stats().system_allocations + stats().pool_allocations, 1);
  EXPECT_EQ(popScalar(shared), 5);
  EXPECT_EQ(stats().system_allocations + stats().pool_allocations, 1);
}

TEST_F(TapeTest, ErrorsChangeNothing) {
  MindrtBuffer buffer{nullptr, nullptr, 7};
  MindrtTape *rest = nullptr;
  EXPECT_EQ(mindrt_tape_pop(nullptr, MINDRT_FLOAT64, 0, &buffer, &rest),
            MINDRT_INDEX_ERROR);
  MindrtTape *tape = pushScalar(nullptr, 6);
  EXPECT_EQ(mindrt_tape_pop(tape, MINDRT_FLOAT32, 0, &buffer, &rest),
            MINDRT_TYPE_ERROR);
  EXPECT_STREQ(mindrt_last_error_message(),
               "pop from a tape: expected float32 of rank 0, found float64 of "
               "rank 0");
  EXPECT_EQ(mindrt_tape_pop(tape, MINDRT_FLOAT64, 1, &buffer, &rest),
            MINDRT_TYPE_ERROR);
  EXPECT_EQ(buffer.offset, 7);
  EXPECT_EQ(rest, nullptr);
  int64_t negative[] = {-1}, huge[] = {int64_t(1) << 62, 8}, ones[] = {1, 1};
  double value = 0;
  MindrtMemRef bad{MINDRT_FLOAT64, 1, &value, negative, ones};
  EXPECT_EQ(mindrt_tape_push(tape, &bad, &rest), MINDRT_VALUE_ERROR);
  bad = {MINDRT_FLOAT64, 2, &value, huge, ones};
  EXPECT_EQ(mindrt_tape_push(tape, &bad, &rest), MINDRT_MEMORY_ERROR);
  bad = {77, 0, &value, nullptr, nullptr};
  EXPECT_EQ(mindrt_tape_push(tape, &bad, &rest), MINDRT_TYPE_ERROR);
  EXPECT_EQ(popScalar(tape), 6);
}

TEST_F(TapeTest, LongTapesAreReleasedWithoutRecursion) {
  MindrtTape *tape = nullptr;
  for (int i = 0; i < 200000; ++i)
    tape = pushScalar(tape, i);
  mindrt_tape_release(tape);
  EXPECT_EQ(mindrt_tape_live_nodes(), 0);
}

TEST_F(TapeTest, SharedBetweenThreads) {
  MindrtTape *base = nullptr;
  for (int i = 0; i < 50; ++i)
    base = pushScalar(base, i);
  onThreads(8, [base](int id) {
    for (int round = 0; round < 50; ++round) {
      MindrtTape *mine = pushScalar(mindrt_tape_retain(base), id);
      EXPECT_EQ(popScalar(mine), id);
      for (int i = 50; i-- > 0;)
        EXPECT_EQ(popScalar(mine), i);
    }
  });
  mindrt_tape_release(base);
}
