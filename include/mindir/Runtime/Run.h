//===- Run.h - A run of generated code --------------------------*- C++ -*-===//
//
// Generated code has no clean-up of its own: a failure leaves it at once, and what
// the run holds is freed by the list that the run keeps of it.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_RUNTIME_RUN_H
#define MINDIR_RUNTIME_RUN_H

#include "mindir/Runtime/Allocator.h"

#include <csetjmp>

namespace mindrt {

class Run {
public:
  Run() noexcept;
  ~Run();
  Run(const Run &) = delete;

  /// The innermost run of the calling thread; null outside of one and inside a
  /// parallel loop, which must not be left.
  static Run *current() noexcept;

  /// Where `leave` goes.
  std::jmp_buf &getTarget() { return target; }
  /// Ends the run. Nothing between the run's begin and here may have a destructor.
  [[noreturn]] void leave() noexcept { std::longjmp(target, 1); }
  /// Frees what the run holds.
  void discard() noexcept;

  void *allocate(int64_t bytes) noexcept {
    return CachingAllocator::get().allocateOn(blocks, bytes);
  }
  /// Counts the nodes of tapes that the run made and still holds.
  void addTapeNodes(int64_t count) noexcept { tapeNodes += count; }

private:
  std::jmp_buf target;
  Run *outer;
  CachingAllocator::BlockList blocks;
  int64_t tapeNodes = 0;
};

/// While one lives, the calling thread's run cannot be left.
class RunPause {
public:
  RunPause() noexcept;
  ~RunPause();
  RunPause(const RunPause &) = delete;

private:
  Run *paused;
};

/// Memory for what a run may drop without freeing it; ordinary memory outside of a
/// run. Null with the last error set when there is none.
void *allocateInRun(int64_t bytes) noexcept;

/// Adds to the number of live nodes of tapes.
void countTapeNodes(int64_t count) noexcept;

} // namespace mindrt

#endif // MINDIR_RUNTIME_RUN_H
