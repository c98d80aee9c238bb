//===- Tape.cpp - Persistent stack of tensors -----------------------------===//
//
// A tape is a linked list of immutable, counted nodes: pushing shares the tail,
// so that a tape may be used any number of times like every other value. Nodes
// and values lie in the caching allocator, on the list of the run that made them.
//
//===----------------------------------------------------------------------===//
#include "mindir/Runtime/MemRef.h"
#include "mindir/Runtime/Run.h"

#include <algorithm>
#include <atomic>
#include <cstring>

using namespace mindrt;

/// One value; its sizes follow it in memory.
struct MindrtTape {
  std::atomic<int64_t> count{1};
  MindrtTape *rest;
  int64_t depth;
  void *data;
  int64_t bytes;
  int32_t dtype;
  int32_t rank;

  int64_t *sizes() { return reinterpret_cast<int64_t *>(this + 1); }
};

static std::atomic<int64_t> gLiveNodes{0};

void mindrt::countTapeNodes(int64_t count) noexcept { gLiveNodes += count; }

/// Counts a node in or out, in the thread's run too.
static void countNode(int64_t count) noexcept {
  countTapeNodes(count);
  if (Run *run = Run::current())
    run->addTapeNodes(count);
}

/// A node without its rest, holding a copy of `value`; null when out of memory.
static MindrtTape *makeNode(const MindrtMemRef &value, int64_t bytes) {
  int64_t header = static_cast<int64_t>(sizeof(MindrtTape)) +
                   value.rank * static_cast<int64_t>(sizeof(int64_t));
  void *memory = allocateInRun(header);
  void *data = memory ? allocateInRun(bytes) : nullptr;
  if (!data) {
    mindrt_free(memory);
    return nullptr;
  }
  copyToDense(value, data);
  auto *node = new (memory) MindrtTape;
  node->data = data;
  node->bytes = bytes;
  node->dtype = value.dtype;
  node->rank = value.rank;
  std::copy_n(value.sizes, value.rank, node->sizes());
  countNode(1);
  return node;
}

/// Destroys a node, not its data nor its rest.
static void destroyNode(MindrtTape *node) {
  node->~MindrtTape();
  mindrt_free(node);
  countNode(-1);
}

/// Fails unless the top of `tape` is a value of `dtype` and `rank`.
static Status checkTop(const MindrtTape *tape, int32_t dtype, int32_t rank) {
  if (!tape)
    return Status::error(ErrorCode::Index, "pop from an empty tape");
  if (tape->dtype == dtype && tape->rank == rank)
    return Status::success();
  std::optional<DType> expected = dtypeFromInt(dtype);
  return Status::error(ErrorCode::Type,
                       "pop from a tape: expected %s of rank %d, found %s of "
                       "rank %d",
                       expected ? dtypeName(*expected) : "an unknown dtype",
                       static_cast<int>(rank),
                       dtypeName(static_cast<DType>(tape->dtype)),
                       static_cast<int>(tape->rank));
}

/// Writes the memref descriptor of the node's value, stored at `data`.
static void writeDescriptor(MindrtTape *node, void *data,
                            MindrtBuffer *buffer) {
  *buffer = {data, data, 0};
  auto *sizes = reinterpret_cast<int64_t *>(buffer + 1);
  int64_t *strides = sizes + node->rank;
  int64_t stride = 1;
  for (int32_t d = node->rank; d-- > 0;) {
    sizes[d] = node->sizes()[d];
    strides[d] = stride;
    stride *= sizes[d];
  }
}

MindrtTape *mindrt_tape_empty(void) { return nullptr; }

int mindrt_tape_push(MindrtTape *tape, const MindrtMemRef *value,
                     MindrtTape **result) {
  return guarded([&]() -> Status {
    int64_t bytes = 0;
    MINDRT_TRY(checkMemRef(*value, bytes));
    MindrtTape *node = makeNode(*value, bytes);
    if (!node)
      return lastError();
    node->rest = tape;
    node->depth = mindrt_tape_size(tape) + 1;
    *result = node;
    return Status::success();
  });
}

int mindrt_tape_pop(MindrtTape *tape, int32_t dtype, int32_t rank,
                    MindrtBuffer *buffer, MindrtTape **rest) {
  return guarded([&]() -> Status {
    MINDRT_TRY(checkTop(tape, dtype, rank));
    // Acquire: a former holder's copy out of the value must be over.
    if (tape->count.load(std::memory_order_acquire) == 1) {
      writeDescriptor(tape, tape->data, buffer);
      *rest = tape->rest;
      destroyNode(tape);
      return Status::success();
    }
    void *data = allocateInRun(tape->bytes);
    if (!data)
      return lastError();
    std::memcpy(data, tape->data, static_cast<size_t>(tape->bytes));
    writeDescriptor(tape, data, buffer);
    *rest = mindrt_tape_retain(tape->rest);
    mindrt_tape_release(tape);
    return Status::success();
  });
}

MindrtTape *mindrt_tape_retain(MindrtTape *tape) {
  if (tape)
    tape->count.fetch_add(1, std::memory_order_relaxed);
  return tape;
}

void mindrt_tape_release(MindrtTape *tape) {
  // A loop: recursion would overflow the stack on a long tape.
  while (tape && tape->count.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    MindrtTape *rest = tape->rest;
    mindrt_free(tape->data);
    destroyNode(tape);
    tape = rest;
  }
}

int64_t mindrt_tape_size(const MindrtTape *tape) {
  return tape ? tape->depth : 0;
}

int64_t mindrt_tape_live_nodes(void) { return gLiveNodes.load(); }
