//===- DType.h - Element types of the runtime -------------------*- C++ -*-===//
//
// The runtime's element types with their sizes and numpy names. The enumerators
// equal those of MindrtDType in the C ABI.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_RUNTIME_DTYPE_H
#define MINDIR_RUNTIME_DTYPE_H

#include "mindir-c/Runtime.h"

#include <optional>
#include <string_view>

namespace mindrt {

enum class DType : int32_t {
  Bool = MINDRT_BOOL,
  Int8 = MINDRT_INT8,
  Int16 = MINDRT_INT16,
  Int32 = MINDRT_INT32,
  Int64 = MINDRT_INT64,
  UInt8 = MINDRT_UINT8,
  UInt16 = MINDRT_UINT16,
  UInt32 = MINDRT_UINT32,
  UInt64 = MINDRT_UINT64,
  Float16 = MINDRT_FLOAT16,
  BFloat16 = MINDRT_BFLOAT16,
  Float32 = MINDRT_FLOAT32,
  Float64 = MINDRT_FLOAT64
};

/// The dtype with the ABI number `value`, if there is one.
std::optional<DType> dtypeFromInt(int32_t value);
/// The dtype named `name` ("float32"), if there is one.
std::optional<DType> dtypeFromName(std::string_view name);
/// Bytes of one element.
int64_t dtypeSize(DType dtype);
/// numpy's name, of static storage and zero-terminated.
const char *dtypeName(DType dtype);

} // namespace mindrt

#endif // MINDIR_RUNTIME_DTYPE_H
