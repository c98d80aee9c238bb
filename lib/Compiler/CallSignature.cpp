//===- CallSignature.cpp - what a compiled entry takes and returns --------===//
//
// Conversion from the pipeline's record, and the text form kept on disk:
//   argument float32 ?x4 parameter donated
//   result float32 3 updates=0 position=1
//
//===----------------------------------------------------------------------===//

#include "mindir/Compiler/CallSignature.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::mindir;

std::string ArrayType::describe() const {
  std::string text = mindrt::dtypeName(dtype);
  text += '[';
  for (auto [i, size] : llvm::enumerate(sizes))
    text += (i ? ", " : "") +
            (size == kUnknownSize ? "?" : std::to_string(size));
  return text + ']';
}

//===----------------------------------------------------------------------===//
// From the pipeline's record
//===----------------------------------------------------------------------===//

static std::optional<mindrt::DType> getDType(Type type) {
  if (type.isF16())
    return mindrt::DType::Float16;
  if (type.isBF16())
    return mindrt::DType::BFloat16;
  if (type.isF32())
    return mindrt::DType::Float32;
  if (type.isF64())
    return mindrt::DType::Float64;
  if (type.isInteger(1))
    return mindrt::DType::Bool;
  if (!isa<IntegerType>(type))
    return std::nullopt;
  std::string name = (type.isUnsignedInteger() ? "uint" : "int") +
                     std::to_string(type.getIntOrFloatBitWidth());
  return mindrt::dtypeFromName(name);
}

static std::optional<ArrayType> getArrayType(RankedTensorType type) {
  std::optional<mindrt::DType> dtype = getDType(type.getElementType());
  if (!dtype)
    return std::nullopt;
  ArrayType result{*dtype, {}};
  for (int64_t size : type.getShape())
    result.sizes.push_back(
        ShapedType::isDynamic(size) ? ArrayType::kUnknownSize : size);
  return result;
}

llvm::Expected<CallSignature> CallSignature::get(const EntrySignature &entry) {
  auto refuse = [&](const char *what, size_t index) {
    return llvm::createStringError(
        "TypeError: expected a tensor as " + Twine(what) + " " + Twine(index) +
        " of the entry '" + entry.name + "', found a value of another type");
  };
  CallSignature signature;
  for (const EntryArgument &argument : entry.arguments) {
    auto type = argument.type ? getArrayType(argument.type) : std::nullopt;
    if (!type)
      return refuse("argument", signature.arguments.size());
    signature.arguments.push_back(
        {*type, argument.isParameter, argument.isDonated});
  }
  for (const EntryResult &result : entry.results) {
    auto type = result.type ? getArrayType(result.type) : std::nullopt;
    if (!type && (result.type || result.position))
      return refuse("result", signature.results.size());
    signature.results.push_back({type, result.updates, result.position});
  }
  return signature;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string printType(const ArrayType &type) {
  std::string text = std::string(" ") + mindrt::dtypeName(type.dtype) + " ";
  for (auto [i, size] : llvm::enumerate(type.sizes))
    text += (i ? "x" : "") +
            (size == ArrayType::kUnknownSize ? "?" : std::to_string(size));
  return text;
}

std::string CallSignature::serialize() const {
  std::string text;
  for (const CallArgument &argument : arguments)
    text += "argument" + printType(argument.type) +
            (argument.isParameter ? " parameter" : "") +
            (argument.isDonated ? " donated" : "") + "\n";
  for (const CallResult &result : results) {
    text += result.type ? "result" + printType(*result.type) : "token";
    if (result.updates)
      text += " updates=" + std::to_string(*result.updates);
    if (result.position)
      text += " position=" + std::to_string(*result.position);
    text += "\n";
  }
  return text;
}

static std::optional<ArrayType> parseType(StringRef dtype, StringRef sizes) {
  ArrayType type;
  std::optional<mindrt::DType> parsed =
      mindrt::dtypeFromName(std::string_view(dtype.data(), dtype.size()));
  if (!parsed)
    return std::nullopt;
  type.dtype = *parsed;
  SmallVector<StringRef> parts;
  sizes.split(parts, 'x', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    int64_t size = ArrayType::kUnknownSize;
    if (part != "?" && part.getAsInteger(10, size))
      return std::nullopt;
    type.sizes.push_back(size);
  }
  return type;
}

/// Reads "updates=3" and the like into `number`.
static bool parseNumber(StringRef word, StringRef name,
                        std::optional<unsigned> &number) {
  unsigned value = 0;
  if (!word.consume_front(name) || !word.consume_front("=") ||
      word.getAsInteger(10, value))
    return false;
  number = value;
  return true;
}

static bool parseArgument(ArrayRef<StringRef> words, CallSignature &signature) {
  if (words.size() < 3)
    return false;
  std::optional<ArrayType> type = parseType(words[1], words[2]);
  if (!type)
    return false;
  signature.arguments.push_back({*type, llvm::is_contained(words, "parameter"),
                                 llvm::is_contained(words, "donated")});
  return true;
}

static bool parseResult(ArrayRef<StringRef> words, CallSignature &signature) {
  CallResult result;
  bool isToken = words[0] == "token";
  if (!isToken) {
    if (words.size() < 3 || !(result.type = parseType(words[1], words[2])))
      return false;
  }
  for (StringRef word : words.drop_front(isToken ? 1 : 3))
    if (!parseNumber(word, "updates", result.updates) &&
        !parseNumber(word, "position", result.position))
      return false;
  signature.results.push_back(std::move(result));
  return true;
}

std::optional<CallSignature> CallSignature::parse(StringRef text) {
  CallSignature signature;
  SmallVector<StringRef> lines, words;
  text.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    words.clear();
    // The sizes of a 0-d array are an empty word.
    line.split(words, ' ');
    bool isArgument = words[0] == "argument";
    bool isResult = words[0] == "result" || words[0] == "token";
    if (!isArgument && !isResult)
      return std::nullopt;
    if (!(isArgument ? parseArgument(words, signature)
                     : parseResult(words, signature)))
      return std::nullopt;
  }
  return signature;
}
