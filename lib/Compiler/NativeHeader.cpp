//===- NativeHeader.cpp - the C header of a compiled object ---------------===//
//
// Declares the function with one documented parameter per line.
//
//===----------------------------------------------------------------------===//

#include "NativeEntry.h"

#include "mindir/Compiler/Compiler.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace mlir::mindir;
using mindrt::DType;

/// The C type of an element; 16-bit floats are their bits.
static std::string getCType(DType dtype) {
  switch (dtype) {
  case DType::Bool:
    return "bool";
  case DType::Float16:
  case DType::BFloat16:
    return "uint16_t";
  case DType::Float32:
    return "float";
  case DType::Float64:
    return "double";
  default:
    return std::string(mindrt::dtypeName(dtype)) + "_t";
  }
}

static std::string declare(const NativeParameter &parameter) {
  using Kind = NativeParameter::Kind;
  std::string element = getCType(parameter.type->dtype);
  std::string index = std::to_string(parameter.index);
  switch (parameter.kind) {
  case Kind::Input:
    return "const " + element + " *input" + index;
  case Kind::InOut:
    return element + " *input" + index;
  case Kind::InputSizes:
    return "const int64_t *input" + index + "_sizes";
  case Kind::Output:
    return element + " *result" + index;
  case Kind::OutputBuffer:
    return element + " **result" + index;
  case Kind::OutputSizes:
    return "int64_t *result" + index + "_sizes";
  }
  return "";
}

static std::string explain(const NativeParameter &parameter) {
  using Kind = NativeParameter::Kind;
  switch (parameter.kind) {
  case Kind::Input:
  case Kind::Output:
    return parameter.type->describe();
  case Kind::InOut:
    return parameter.type->describe() + ", updated";
  case Kind::InputSizes:
    return "its sizes";
  case Kind::OutputBuffer:
    return parameter.type->describe() + ", to be freed by mindrt_free";
  case Kind::OutputSizes:
    return "receives its sizes";
  }
  return "";
}

/// Lines as the continuation of a C comment.
static std::string toComment(StringRef about) {
  std::string text;
  while (!about.empty()) {
    auto [line, rest] = about.split('\n');
    std::string safe = line.str();
    for (size_t at; (at = safe.find("*/")) != std::string::npos;)
      safe.replace(at, 2, "* /");
    text += "\n   " + safe;
    about = rest;
  }
  return text;
}

std::string mlir::mindir::makeHeader(const CallSignature &signature,
                                     StringRef symbol, StringRef about) {
  std::string guard = symbol.upper() + "_H";
  std::string text =
      "/* Made by ms-compile. Link the object with the runtime, mindrt. Arrays\n"
      "   are dense, in row-major order; memory aligned to 64 bytes is not\n"
      "   copied. Arrays that are updated overlap no other.";
  text += toComment(about) + " */\n"
      "#ifndef " + guard + "\n#define " + guard +
      "\n\n#include <stdbool.h>\n#include <stdint.h>\n\n"
      "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
      "/** Returns 0, else an error code; mindrt_last_error_message() in\n"
      " * mindir-c/Runtime.h says what is wrong. */\n"
      "int " + symbol.str() + "(";
  std::vector<NativeParameter> parameters = getNativeParameters(signature);
  for (auto [i, parameter] : enumerate(parameters))
    text += "\n    " + declare(parameter) +
            (i + 1 < parameters.size() ? "," : "") + " /**< " +
            explain(parameter) + " */";
  text += parameters.empty() ? "void);\n" : "\n);\n";
  return text + "\n#ifdef __cplusplus\n}\n#endif\n#endif /* " + guard + " */\n";
}
