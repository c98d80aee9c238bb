//===- Run.cpp - A run of generated code ----------------------------------===//
//
// A failing run is left by longjmp, back to `mindrt_run`, across frames of generated
// code only: those have nothing to destroy.
//
//===----------------------------------------------------------------------===//
#include "mindir/Runtime/Run.h"
#include "mindir/Runtime/Status.h"

#include <algorithm>
#include <limits>
#include <pthread.h>

using namespace mindrt;

static thread_local Run *tRun = nullptr;

Run::Run() noexcept : outer(tRun) { tRun = this; }

Run::~Run() {
  CachingAllocator::forget(blocks);
  tRun = outer;
}

Run *Run::current() noexcept { return tRun; }

void Run::discard() noexcept {
  CachingAllocator::get().deallocateAll(blocks);
  countTapeNodes(-tapeNodes);
}

RunPause::RunPause() noexcept : paused(tRun) { tRun = nullptr; }

RunPause::~RunPause() { tRun = paused; }

void *mindrt::allocateInRun(int64_t bytes) noexcept {
  return tRun ? tRun->allocate(bytes) : mindrt_alloc(bytes);
}

int mindrt_run(void (*entry)(void **), void **pointers) {
  uint64_t errors = errorSerial();
  Run run;
  if (setjmp(run.getTarget()) == 0)
    entry(pointers);
  if (errorSerial() == errors)
    return MINDRT_OK;
  run.discard();
  return mindrt_last_error_code();
}

/// Ends the run, if the calling thread is in one, with its last error.
static void fail() noexcept {
  if (tRun)
    tRun->leave();
}

void mindrt_fail(int code, const char *message) {
  mindrt_set_error(code, message);
  fail();
}

void *_mlir_memref_to_llvm_alloc(uint64_t bytes) {
  constexpr uint64_t limit = std::numeric_limits<int64_t>::max();
  void *data = allocateInRun(static_cast<int64_t>(std::min(bytes, limit)));
  if (!data)
    fail();
  return data;
}

void mindrt_check_bytes(double bytes) {
  if (bytes <= static_cast<double>(SizeClasses::kMaxBytes))
    return;
  publish(Status::error(ErrorCode::Memory,
                        "out of memory: a tensor would take %.3g bytes", bytes));
  fail();
}

void mindrt_poll(void) {
  if (mindrt_check_interrupt() != MINDRT_OK)
    fail();
}

//===----------------------------------------------------------------------===//
// Stack
//===----------------------------------------------------------------------===//

/// What the functions called from generated code, and a signal handler, may need.
static constexpr uintptr_t kStackReserve = 512 << 10;
/// Stacks without a limit are taken to be this large.
static constexpr size_t kMaxStack = size_t(1) << 29;

/// The lowest address that recursion of the calling thread may reach.
static uintptr_t findStackLimit() noexcept {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return 0;
  void *lowest = nullptr;
  size_t bytes = 0;
  int code = pthread_attr_getstack(&attributes, &lowest, &bytes);
  pthread_attr_destroy(&attributes);
  if (code != 0)
    return 0;
  uintptr_t highest = reinterpret_cast<uintptr_t>(lowest) + bytes;
  return highest - std::min(bytes, kMaxStack) + kStackReserve;
}

void mindrt_check_stack(void) {
  static thread_local uintptr_t limit = findStackLimit();
  char here;
  if (reinterpret_cast<uintptr_t>(&here) < limit) {
    mindrt_set_error(MINDRT_RECURSION_ERROR,
                     "maximum recursion depth exceeded in compiled code: the stack "
                     "is used up; use a loop or a smaller depth");
    return fail();
  }
  mindrt_poll();
}
