//===- Array.cpp - Strided arrays over shared bytes -----------------------===//
//
// Construction checks that every element lies inside the buffer, so that no use
// needs to.
//
//===----------------------------------------------------------------------===//
#include "mindir/Runtime/Array.h"

#include "mindir/Runtime/MemRef.h"

using namespace mindrt;

std::vector<int64_t> mindrt::denseStrides(const std::vector<int64_t> &sizes) {
  std::vector<int64_t> strides(sizes.size(), 1);
  for (size_t d = sizes.size(); d-- > 1;)
    strides[d - 1] = strides[d] * std::max<int64_t>(sizes[d], 1);
  return strides;
}

static MindrtMemRef makeMemRef(DType dtype, const Array::Sizes &sizes,
                               const Array::Sizes &strides, void *data) {
  return {static_cast<int32_t>(dtype), static_cast<int32_t>(sizes.size()), data,
          sizes.data(), strides.data()};
}

Status Array::allocate(DType dtype, Sizes sizes, Array &result) {
  int64_t bytes = 0;
  MINDRT_TRY(checkMemRef(makeMemRef(dtype, sizes, sizes, nullptr), bytes));
  StorageRef storage = StorageRef::allocate(bytes);
  if (!storage)
    return lastError();
  result.buffer = std::make_shared<Buffer>(std::move(storage));
  result.dtype = dtype;
  result.strides = denseStrides(sizes);
  result.sizes = std::move(sizes);
  result.offset = 0;
  return Status::success();
}

/// The least and the greatest offset of an element; fails on overflow.
static Status findExtent(const Array::Sizes &sizes,
                         const Array::Sizes &strides, int64_t offset,
                         int64_t &least, int64_t &greatest) {
  least = greatest = offset;
  for (size_t d = 0; d < sizes.size(); ++d) {
    int64_t reach = 0;
    int64_t &bound = strides[d] < 0 ? least : greatest;
    if (__builtin_mul_overflow(sizes[d] - 1, strides[d], &reach) ||
        __builtin_add_overflow(bound, reach, &bound))
      return Status::error(ErrorCode::Value, "the strides of a view overflow");
  }
  return Status::success();
}

Status Array::create(std::shared_ptr<Buffer> buffer, DType dtype, Sizes sizes,
                     Sizes strides, int64_t offset, Array &result) {
  if (sizes.size() != strides.size())
    return Status::error(ErrorCode::Value,
                         "expected one stride per dimension, found %zu for %zu",
                         strides.size(), sizes.size());
  int64_t bytes = 0;
  MindrtMemRef memref = makeMemRef(dtype, sizes, strides, nullptr);
  MINDRT_TRY(checkMemRef(memref, bytes));
  int64_t least = 0, greatest = 0;
  MINDRT_TRY(findExtent(sizes, strides, offset, least, greatest));
  int64_t available = buffer->getBytes() / dtypeSize(dtype);
  if (!isEmpty(memref) && (least < 0 || greatest >= available))
    return Status::error(
        ErrorCode::Value,
        "a view of %s reaches elements %lld to %lld of a buffer of %lld",
        describeType(memref).c_str(), static_cast<long long>(least),
        static_cast<long long>(greatest), static_cast<long long>(available));
  result.buffer = std::move(buffer);
  result.dtype = dtype;
  result.sizes = std::move(sizes);
  result.strides = std::move(strides);
  result.offset = isEmpty(memref) ? 0 : offset;
  return Status::success();
}

int64_t Array::getNumElements() const {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

bool Array::isContiguous() const {
  int64_t expected = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    if (sizes[d] == 0)
      return true;
    if (sizes[d] != 1 && strides[d] != expected)
      return false;
    expected *= sizes[d];
  }
  return true;
}

MindrtMemRef Array::getMemRef() const {
  return makeMemRef(dtype, sizes, strides, getData());
}

Status Array::copy(Array &result) const {
  Array fresh;
  MINDRT_TRY(allocate(dtype, sizes, fresh));
  copyElements(getMemRef(), fresh.getMemRef());
  result = std::move(fresh);
  return Status::success();
}

Status Array::assign(const Array &source) {
  if (source.dtype != dtype || source.sizes != sizes)
    return Status::error(
        source.dtype != dtype ? ErrorCode::Type : ErrorCode::Value,
        "expected a value of type %s to assign, found %s",
        describeType(getMemRef()).c_str(),
        describeType(source.getMemRef()).c_str());
  Array apart = source;
  if (source.buffer == buffer)
    MINDRT_TRY(source.copy(apart));
  copyElements(apart.getMemRef(), getMemRef());
  buffer->bumpVersion();
  return Status::success();
}
