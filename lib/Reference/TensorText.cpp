//===- TensorText.cpp - tensors as text -----------------------------------===//
//
// Prints tensors as nested lists, each number in the fewest digits that read back
// as the same element.
//
//===----------------------------------------------------------------------===//

#include "mindir/Reference/Tensor.h"

#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace mlir;
using namespace mlir::mindir;
using namespace mlir::mindir::reference;

static std::string getRealText(double value, DType dtype) {
  if (std::isnan(value))
    return "nan";
  char text[40];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof(text), "%.*g", digits, value);
    if (roundToDType(std::strtold(text, nullptr), dtype) == value)
      break;
  }
  return text;
}

static std::string getIntegerText(Integer value) {
  if (value < 0)
    return std::to_string(static_cast<int64_t>(value));
  return std::to_string(static_cast<uint64_t>(value));
}

static std::string getElementText(const Tensor &tensor, int64_t i) {
  if (tensor.isFloat())
    return getRealText(static_cast<double>(tensor.getReal(i)),
                       tensor.getDType());
  if (tensor.getDType() == DType::Bool)
    return tensor.getInteger(i) ? "true" : "false";
  return getIntegerText(tensor.getInteger(i));
}

/// Prints the block of dimensions from `dim` on whose first element is `position`.
static void printBlock(llvm::raw_ostream &os, const Tensor &tensor, int64_t dim,
                       int64_t &position) {
  if (dim == tensor.getRank()) {
    os << getElementText(tensor, position++);
    return;
  }
  os << '[';
  for (int64_t i = 0; i < tensor.getSize(dim); ++i) {
    os << (i == 0 ? "" : ", ");
    printBlock(os, tensor, dim + 1, position);
  }
  os << ']';
}

std::string Tensor::getText() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (getNumElements() == 0 && getRank() > 0)
    return "[]";
  int64_t position = 0;
  printBlock(os, *this, 0, position);
  return text;
}

std::string Tensor::getTypeText() const {
  static constexpr const char *names[] = {
      "i1",   "i8",   "i16",  "i32",   "i64", "ui8",  "ui16",
      "ui32", "ui64", "index", "f16", "bf16", "f32", "f64"};
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + names[static_cast<int>(dtype)] + ">";
}
