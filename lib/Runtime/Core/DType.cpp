//===- DType.cpp - Element types of the runtime ---------------------------===//
//
// One table holds all that the runtime knows about an element type.
//
//===----------------------------------------------------------------------===//
#include "mindir/Runtime/DType.h"
#include "mindir/Runtime/Status.h"

using namespace mindrt;

namespace {
struct DTypeInfo {
  const char *name;
  int64_t size;
};
} // namespace

/// Indexed by the ABI number.
static constexpr DTypeInfo kDTypes[] = {
    {"bool", 1},   {"int8", 1},    {"int16", 2},    {"int32", 4},
    {"int64", 8},  {"uint8", 1},   {"uint16", 2},   {"uint32", 4},
    {"uint64", 8}, {"float16", 2}, {"bfloat16", 2}, {"float32", 4},
    {"float64", 8}};
static constexpr int32_t kNumDTypes = sizeof(kDTypes) / sizeof(kDTypes[0]);

std::optional<DType> mindrt::dtypeFromInt(int32_t value) {
  if (value < 0 || value >= kNumDTypes)
    return std::nullopt;
  return static_cast<DType>(value);
}

std::optional<DType> mindrt::dtypeFromName(std::string_view name) {
  for (int32_t i = 0; i < kNumDTypes; ++i)
    if (name == kDTypes[i].name)
      return static_cast<DType>(i);
  return std::nullopt;
}

int64_t mindrt::dtypeSize(DType dtype) {
  return kDTypes[static_cast<int32_t>(dtype)].size;
}

const char *mindrt::dtypeName(DType dtype) {
  return kDTypes[static_cast<int32_t>(dtype)].name;
}

/// Looks a dtype up for the C ABI and records the failure.
static std::optional<DType> checkedDType(int32_t value) {
  std::optional<DType> dtype = dtypeFromInt(value);
  if (!dtype)
    publish(Status::error(ErrorCode::Type,
                          "unknown dtype number %d; expected 0 to %d",
                          static_cast<int>(value), kNumDTypes - 1));
  return dtype;
}

int64_t mindrt_dtype_size(int32_t value) {
  std::optional<DType> dtype = checkedDType(value);
  return dtype ? dtypeSize(*dtype) : 0;
}

const char *mindrt_dtype_name(int32_t value) {
  std::optional<DType> dtype = checkedDType(value);
  return dtype ? dtypeName(*dtype) : nullptr;
}

int32_t mindrt_dtype_from_name(const char *name) {
  if (std::optional<DType> dtype = dtypeFromName(name ? name : ""))
    return static_cast<int32_t>(*dtype);
  publish(Status::error(ErrorCode::Type,
                        "unknown dtype '%s'; expected a numpy name such as "
                        "'float32', or 'bfloat16'",
                        name ? name : "(null)"));
  return -1;
}
