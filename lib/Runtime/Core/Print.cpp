//===- Print.cpp - tensors as text ----------------------------------------===//
//
// Prints tensors in a format string as nested lists, each number in the fewest
// digits that read back as the same element.
//
//===----------------------------------------------------------------------===//
#include "mindir/Runtime/MemRef.h"
#include "mindir/Runtime/Status.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

using namespace mindrt;

namespace {

float halfToFloat(uint16_t bits) {
  int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  float magnitude = exponent == 31  ? (fraction ? NAN : INFINITY)
                    : exponent == 0 ? std::ldexp(float(fraction), -24)
                                    : std::ldexp(float(fraction + 1024), exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

float brainToFloat(uint16_t bits) {
  uint32_t wide = uint32_t(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof(value));
  return value;
}

template <typename T> T read(const char *address) {
  T value;
  std::memcpy(&value, address, sizeof(value));
  return value;
}

/// Whether `text` reads back as `value` in a format of `precision` bits.
bool readsBack(const char *text, double value, int precision) {
  double parsed = std::strtod(text, nullptr);
  if (precision == 53 || parsed == value)
    return parsed == value;
  if (precision == 24)
    return static_cast<float>(parsed) == static_cast<float>(value);
  // Within half a unit in the last place of the shorter format.
  double unit = std::ldexp(1.0, std::ilogb(value) - precision + 1);
  return std::fabs(parsed - value) < unit / 2;
}

std::string realText(double value, int precision) {
  if (std::isnan(value))
    return "nan";
  char text[40];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof(text), "%.*g", digits, value);
    if (std::isinf(value) || value == 0 || readsBack(text, value, precision))
      break;
  }
  return text;
}

std::string elementText(int32_t dtype, const char *at) {
  switch (dtype) {
  case MINDRT_BOOL:
    return *at ? "true" : "false";
  case MINDRT_INT8:
    return std::to_string(read<int8_t>(at));
  case MINDRT_INT16:
    return std::to_string(read<int16_t>(at));
  case MINDRT_INT32:
    return std::to_string(read<int32_t>(at));
  case MINDRT_INT64:
    return std::to_string(read<int64_t>(at));
  case MINDRT_UINT8:
    return std::to_string(read<uint8_t>(at));
  case MINDRT_UINT16:
    return std::to_string(read<uint16_t>(at));
  case MINDRT_UINT32:
    return std::to_string(read<uint32_t>(at));
  case MINDRT_UINT64:
    return std::to_string(read<uint64_t>(at));
  case MINDRT_FLOAT16:
    return realText(halfToFloat(read<uint16_t>(at)), 11);
  case MINDRT_BFLOAT16:
    return realText(brainToFloat(read<uint16_t>(at)), 8);
  case MINDRT_FLOAT32:
    return realText(read<float>(at), 24);
  default:
    return realText(read<double>(at), 53);
  }
}

void appendBlock(std::string &text, const MindrtMemRef &tensor, int32_t dim,
                 const char *at, int64_t elementBytes) {
  if (dim == tensor.rank) {
    text += elementText(tensor.dtype, at);
    return;
  }
  text += '[';
  for (int64_t i = 0; i < tensor.sizes[dim]; ++i) {
    if (i != 0)
      text += ", ";
    appendBlock(text, tensor, dim + 1,
                at + i * tensor.strides[dim] * elementBytes, elementBytes);
  }
  text += ']';
}

void appendTensor(std::string &text, const MindrtMemRef &tensor) {
  for (int32_t dim = 0; dim < tensor.rank; ++dim)
    if (tensor.sizes[dim] == 0) {
      text += "[]";
      return;
    }
  appendBlock(text, tensor, 0, static_cast<const char *>(tensor.data),
              mindrt_dtype_size(tensor.dtype));
}

} // namespace

int mindrt_print(const char *format, int64_t num_values,
                 const MindrtMemRef *const *values) {
  try {
    std::string text;
    const char *rest = format;
    for (int64_t i = 0; i < num_values; ++i) {
      const char *place = std::strstr(rest, "{}");
      text.append(rest, place ? place - rest : std::strlen(rest));
      rest = place ? place + 2 : "";
      appendTensor(text, *values[i]);
    }
    text += rest;
    text += '\n';
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
    return MINDRT_OK;
  } catch (const std::bad_alloc &) {
    return mindrt_set_error(MINDRT_MEMORY_ERROR,
                            "out of memory while printing a tensor");
  }
}
