/*===- HeaderTest.c - The C ABI from C --------------------------------------===
 *
 * Compiles the C ABI's header as C and uses a little of it, as an
 * ahead-of-time compiled program does. Called from CoreTest.cpp.
 *
 *===----------------------------------------------------------------------===*/
#include "mindir-c/Runtime.h"

/** Pushes {1, 2, 3} on a tape and returns the sum of what comes back, negative
 * on failure. */
int runtime_test_from_c(void) {
  float data[3] = {1, 2, 3};
  int64_t sizes[1] = {3}, strides[1] = {1};
  MindrtMemRef value = {MINDRT_FLOAT32, 1, data, sizes, strides};
  struct {
    MindrtBuffer head;
    int64_t sizes[1], strides[1];
  } out;
  MindrtTape *tape = mindrt_tape_empty();
  if (mindrt_tape_push(tape, &value, &tape) ||
      mindrt_tape_pop(tape, MINDRT_FLOAT32, 1, &out.head, &tape))
    return -1;
  const float *values = (const float *)out.head.aligned;
  int sum = (int)(values[0] + values[1] + values[2]);
  mindrt_free(out.head.allocated);
  return tape ? -2 : sum;
}
