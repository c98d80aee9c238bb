//===- MemRef.cpp - Strided tensors in memory -----------------------------===//
//
// Copies and fills walk the outer dimensions one by one and treat the trailing
// dimensions that are dense as one run of bytes.
//
//===----------------------------------------------------------------------===//
#include "mindir/Runtime/MemRef.h"

#include <cstring>
#include <vector>

using namespace mindrt;

Status mindrt::checkMemRef(const MindrtMemRef &memref, int64_t &bytes) {
  std::optional<DType> dtype = dtypeFromInt(memref.dtype);
  if (!dtype)
    return Status::error(ErrorCode::Type, "unknown dtype number %d",
                         static_cast<int>(memref.dtype));
  if (memref.rank < 0)
    return Status::error(ErrorCode::Value, "rank %d: expected a rank >= 0",
                         static_cast<int>(memref.rank));
  bytes = dtypeSize(*dtype);
  bool overflow = false;
  for (int32_t d = 0; d < memref.rank; ++d) {
    if (memref.sizes[d] < 0)
      return Status::error(
          ErrorCode::Value, "size %lld of dimension %d: expected a size >= 0",
          static_cast<long long>(memref.sizes[d]), static_cast<int>(d));
    overflow |= __builtin_mul_overflow(bytes, memref.sizes[d], &bytes);
  }
  if (isEmpty(memref))
    bytes = 0;
  else if (overflow)
    return Status::error(ErrorCode::Memory, "%s has more than 2^63 bytes",
                         describeType(memref).c_str());
  return Status::success();
}

bool mindrt::isEmpty(const MindrtMemRef &memref) {
  for (int32_t d = 0; d < memref.rank; ++d)
    if (memref.sizes[d] == 0)
      return true;
  return false;
}

std::string mindrt::describeType(const MindrtMemRef &memref) {
  std::optional<DType> dtype = dtypeFromInt(memref.dtype);
  std::string text = dtype ? dtypeName(*dtype) : "unknown";
  text += '[';
  for (int32_t d = 0; d < memref.rank; ++d)
    text += (d ? ", " : "") + std::to_string(memref.sizes[d]);
  return text + ']';
}

void mindrt::forEachRun(const MindrtMemRef &memref,
                        const std::function<void(char *, int64_t)> &visit) {
  if (isEmpty(memref))
    return;
  int64_t element = dtypeSize(static_cast<DType>(memref.dtype));
  int64_t run = 1;
  int32_t outer = memref.rank;
  while (outer > 0 &&
         (memref.sizes[outer - 1] == 1 || memref.strides[outer - 1] == run))
    run *= memref.sizes[--outer];
  std::vector<int64_t> index(static_cast<size_t>(outer), 0);
  char *pointer = static_cast<char *>(memref.data);
  while (true) {
    visit(pointer, run * element);
    int32_t d = outer - 1;
    for (; d >= 0; --d) {
      int64_t step = memref.strides[d] * element;
      pointer += step;
      if (++index[static_cast<size_t>(d)] < memref.sizes[d])
        break;
      pointer -= step * memref.sizes[d];
      index[static_cast<size_t>(d)] = 0;
    }
    if (d < 0)
      return;
  }
}

void mindrt::copyToDense(const MindrtMemRef &source, void *target) {
  char *out = static_cast<char *>(target);
  forEachRun(source, [&](const char *run, int64_t bytes) {
    std::memcpy(out, run, static_cast<size_t>(bytes));
    out += bytes;
  });
}

void mindrt::fillZero(const MindrtMemRef &target) {
  forEachRun(target, [](char *run, int64_t bytes) {
    std::memset(run, 0, static_cast<size_t>(bytes));
  });
}
