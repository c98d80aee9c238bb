//===- PackedCall.cpp - Compiled entries on plain memory ------------------===//
//
// The callers of ahead-of-time compiled code have pointers and sizes; compiled
// code takes memref descriptors. One function translates for all of them.
//
//===----------------------------------------------------------------------===//
#include "mindir/Runtime/Array.h"
#include "mindir/Runtime/MemRef.h"

#include <algorithm>
#include <cstring>

using namespace mindrt;

namespace {
constexpr uintptr_t kAlignment = 64;

/// What a signature says of one argument or result.
struct Entry {
  int64_t dtype, rank, isDonated = 0, updates = -1, position = -1;
  const int64_t *sizes;

  bool isToken() const { return dtype < 0; }
  bool isDynamic() const {
    return std::any_of(sizes, sizes + rank, [](int64_t size) { return size < 0; });
  }
};

/// One call in progress.
class PackedCall {
public:
  PackedCall(const int64_t *signature, void *const *pointers);

  Status prepare();
  int run(void (*entry)(void **)) { return mindrt_run(entry, descriptors.data()); }
  Status finish();

private:
  struct Argument {
    Entry entry;
    MindrtMemRef given;
    std::vector<int64_t> sizes, strides;
    /// Stands for memory that the code cannot take as it is.
    Array copy;
    char *getData() const {
      return copy ? copy.getData() : static_cast<char *>(given.data);
    }
  };
  struct Result {
    Entry entry;
    void *target = nullptr;
    int64_t *sizes = nullptr;
    const int64_t *words = nullptr;
  };

  Status readArgument(const Entry &entry);
  void layOut();
  Status deliver(const Result &result);
  bool isBorrowed(const void *allocated) const;

  const int64_t *next;
  void *const *pointers;
  std::vector<Entry> inputs, outputs;
  std::vector<Argument> arguments;
  std::vector<Result> results;
  std::vector<int64_t> words;
  std::vector<void *> descriptors;
  int64_t numReturned;
};
} // namespace

PackedCall::PackedCall(const int64_t *signature, void *const *pointers)
    : next(signature + 3), pointers(pointers), numReturned(signature[2]) {
  for (int64_t i = 0; i < signature[0]; ++i) {
    inputs.push_back({next[0], next[1], next[2], -1, -1, next + 3});
    next += 3 + inputs.back().rank;
  }
  for (int64_t i = 0; i < signature[1]; ++i) {
    outputs.push_back({next[0], next[1], 0, next[2], next[3], next + 4});
    next += 4 + outputs.back().rank;
  }
}

//===----------------------------------------------------------------------===//
// Before the run
//===----------------------------------------------------------------------===//

Status PackedCall::readArgument(const Entry &entry) {
  Argument argument;
  argument.entry = entry;
  void *data = *pointers++;
  auto *sizes = entry.isDynamic() ? static_cast<const int64_t *>(*pointers++)
                                  : entry.sizes;
  argument.sizes.assign(sizes, sizes + entry.rank);
  for (int64_t d = 0; d < entry.rank; ++d)
    if (entry.sizes[d] >= 0 && entry.sizes[d] != sizes[d])
      return Status::error(
          ErrorCode::Value, "expected size %lld in dimension %lld of argument "
          "%zu, found %lld", static_cast<long long>(entry.sizes[d]),
          static_cast<long long>(d), arguments.size(),
          static_cast<long long>(sizes[d]));
  argument.strides = denseStrides(argument.sizes);
  arguments.push_back(std::move(argument));
  Argument &added = arguments.back();
  added.given = {static_cast<int32_t>(entry.dtype),
                 static_cast<int32_t>(entry.rank), data, added.sizes.data(),
                 added.strides.data()};
  int64_t bytes = 0;
  MINDRT_TRY(checkMemRef(added.given, bytes));
  if (reinterpret_cast<uintptr_t>(data) % kAlignment == 0 || bytes == 0)
    return Status::success();
  MINDRT_TRY(Array::allocate(static_cast<DType>(entry.dtype), added.sizes,
                             added.copy));
  copyElements(added.given, added.copy.getMemRef());
  return Status::success();
}

Status PackedCall::prepare() {
  // The memrefs point into the arguments: they must not move.
  arguments.reserve(inputs.size());
  for (const Entry &input : inputs)
    MINDRT_TRY(readArgument(input));
  for (const Entry &output : outputs) {
    Result result;
    result.entry = output;
    if (!output.isToken() && output.updates < 0) {
      result.target = *pointers++;
      if (output.isDynamic())
        result.sizes = static_cast<int64_t *>(*pointers++);
    }
    results.push_back(result);
  }
  layOut();
  return Status::success();
}

void PackedCall::layOut() {
  std::vector<int64_t> offsets(static_cast<size_t>(numReturned), 0);
  size_t total = 0;
  for (int64_t position = 0; position < numReturned; ++position)
    for (const Result &result : results)
      if (result.entry.position == position) {
        offsets[static_cast<size_t>(position)] = static_cast<int64_t>(total);
        total += static_cast<size_t>(3 + 2 * result.entry.rank);
      }
  std::vector<size_t> starts;
  for (const Argument &argument : arguments) {
    starts.push_back(total);
    total += static_cast<size_t>(3 + 2 * argument.entry.rank);
  }
  words.assign(total, 0);
  for (Result &result : results)
    if (result.entry.position >= 0)
      result.words = &words[static_cast<size_t>(
          offsets[static_cast<size_t>(result.entry.position)])];
  if (numReturned > 0)
    descriptors.push_back(words.data());
  for (size_t i = 0; i < arguments.size(); ++i) {
    int64_t *word = &words[starts[i]];
    descriptors.push_back(word);
    word[0] = word[1] = reinterpret_cast<int64_t>(arguments[i].getData());
    word = std::copy(arguments[i].sizes.begin(), arguments[i].sizes.end(),
                     word + 3);
    std::copy(arguments[i].strides.begin(), arguments[i].strides.end(), word);
  }
}

//===----------------------------------------------------------------------===//
// After the run
//===----------------------------------------------------------------------===//

/// Whether a returned buffer is an argument's or a constant's, which the lowering
/// of globals marks so.
bool PackedCall::isBorrowed(const void *allocated) const {
  return reinterpret_cast<uintptr_t>(allocated) == 0xdeadbeef ||
         std::any_of(arguments.begin(), arguments.end(),
                     [&](const Argument &argument) {
                       return argument.getData() == allocated;
                     });
}

Status PackedCall::deliver(const Result &result) {
  const Entry &entry = result.entry;
  const int64_t *sizes = result.words + 3;
  int64_t element = mindrt_dtype_size(static_cast<int32_t>(entry.dtype));
  MindrtMemRef value = {
      static_cast<int32_t>(entry.dtype), static_cast<int32_t>(entry.rank),
      reinterpret_cast<char *>(result.words[1]) + result.words[2] * element,
      sizes, sizes + entry.rank};
  auto *allocated = reinterpret_cast<void *>(result.words[0]);
  bool isKept = false;
  if (entry.updates >= 0) {
    copyElements(value, arguments[static_cast<size_t>(entry.updates)].given);
  } else if (!result.sizes) {
    std::vector<int64_t> dense(sizes, sizes + entry.rank);
    std::vector<int64_t> strides = denseStrides(dense);
    copyElements(value, {value.dtype, value.rank, result.target, dense.data(),
                         strides.data()});
  } else {
    if (isBorrowed(allocated)) {
      int64_t bytes = 0;
      MINDRT_TRY(checkMemRef(value, bytes));
      void *fresh = mindrt_alloc(bytes);
      if (!fresh)
        return lastError();
      copyToDense(value, fresh);
      value.data = fresh;
    }
    isKept = true;
    *static_cast<void **>(result.target) = value.data;
    std::copy(sizes, sizes + entry.rank, result.sizes);
  }
  if (!isKept && !isBorrowed(allocated))
    mindrt_free(allocated);
  return Status::success();
}

Status PackedCall::finish() {
  Status status;
  for (const Result &result : results) {
    if (!result.words)
      continue;
    auto *allocated = reinterpret_cast<void *>(result.words[0]);
    if (status.ok())
      status = deliver(result);
    else if (!isBorrowed(allocated))
      mindrt_free(allocated);
  }
  if (!status.ok())
    return status;
  // Updates that were made in an argument's stand-in.
  for (const Result &result : results) {
    if (result.entry.updates < 0 || result.words)
      continue;
    const Argument &argument =
        arguments[static_cast<size_t>(result.entry.updates)];
    if (argument.copy)
      copyElements(argument.copy.getMemRef(), argument.given);
  }
  return status;
}

int mindrt_call(void (*entry)(void **), const int64_t *signature,
                void *const *pointers) {
  return guarded([&]() -> Status {
    PackedCall call(signature, pointers);
    MINDRT_TRY(call.prepare());
    mindrt_clear_error();
    if (call.run(entry) != MINDRT_OK)
      return lastError();
    return call.finish();
  });
}
