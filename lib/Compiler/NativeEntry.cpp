//===- NativeEntry.cpp - a compiled entry as a C function -----------------===//
//
// Packs the parameters into a list and leaves the rest to the runtime, with the
// signature as a constant.
//
//===----------------------------------------------------------------------===//

#include "NativeEntry.h"

#include "mindir/Compiler/Executable.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace mlir::mindir;

static bool isDynamic(const mlir::mindir::ArrayType &type) {
  return is_contained(type.sizes, mlir::mindir::ArrayType::kUnknownSize);
}

std::vector<NativeParameter>
mlir::mindir::getNativeParameters(const CallSignature &signature) {
  using Kind = NativeParameter::Kind;
  std::vector<NativeParameter> parameters;
  for (auto [i, argument] : enumerate(signature.arguments)) {
    unsigned index = i;
    bool isUpdated = any_of(signature.results, [&](const CallResult &result) {
      return result.updates == index;
    });
    parameters.push_back(
        {isUpdated ? Kind::InOut : Kind::Input, index, &argument.type});
    if (isDynamic(argument.type))
      parameters.push_back({Kind::InputSizes, index, &argument.type});
  }
  for (auto [i, result] : enumerate(signature.results)) {
    unsigned index = i;
    if (!result.type || result.updates)
      continue;
    bool isBuffer = isDynamic(*result.type);
    parameters.push_back(
        {isBuffer ? Kind::OutputBuffer : Kind::Output, index, &*result.type});
    if (isBuffer)
      parameters.push_back({Kind::OutputSizes, index, &*result.type});
  }
  return parameters;
}

static void append(std::vector<int64_t> &words, const mlir::mindir::ArrayType &type) {
  words.insert(words.end(), type.sizes.begin(), type.sizes.end());
}

/// The signature as `mindrt_call` reads it.
static std::vector<int64_t> encode(const CallSignature &signature) {
  auto number = [](std::optional<unsigned> value) {
    return value ? int64_t(*value) : -1;
  };
  int64_t numReturned = count_if(
      signature.results, [](const CallResult &r) { return r.position; });
  std::vector<int64_t> words = {int64_t(signature.arguments.size()),
                                int64_t(signature.results.size()), numReturned};
  for (const CallArgument &argument : signature.arguments) {
    words.insert(words.end(), {int64_t(argument.type.dtype),
                               int64_t(argument.type.getRank()),
                               int64_t(argument.isDonated)});
    append(words, argument.type);
  }
  for (const CallResult &result : signature.results) {
    words.insert(words.end(),
                 {result.type ? int64_t(result.type->dtype) : -1,
                  result.type ? int64_t(result.type->getRank()) : 0,
                  number(result.updates), number(result.position)});
    if (result.type)
      append(words, *result.type);
  }
  return words;
}

static Constant *addSignature(Module &module, const CallSignature &signature) {
  auto *data = ConstantDataArray::get(module.getContext(),
                                      ArrayRef<int64_t>(encode(signature)));
  return new GlobalVariable(module, data->getType(), /*isConstant=*/true,
                            GlobalValue::InternalLinkage, data,
                            "mindir_signature");
}

/// Makes room for a function of the name `symbol`.
static Error freeName(Module &module, StringRef symbol) {
  llvm::GlobalValue *other = module.getNamedValue(symbol);
  llvm::LibFunc known;
  if ((other && other->isDeclaration()) || symbol.starts_with("mindrt_") ||
      TargetLibraryInfoImpl(Triple()).getLibFunc(symbol, known))
    return createStringError("ValueError: expected another C name than '" +
                             symbol + "', which the runtime or a library has");
  if (other)
    other->setName("module." + symbol);
  return Error::success();
}

Error mlir::mindir::addNativeEntry(Module &module, const CallSignature &signature,
                                   StringRef symbol) {
  if (Error error = freeName(module, symbol))
    return error;
  LLVMContext &context = module.getContext();
  size_t count = getNativeParameters(signature).size();
  auto *pointer = PointerType::get(context, 0);
  auto *i32 = llvm::IntegerType::get(context, 32);
  SmallVector<llvm::Type *> types(count, pointer);
  auto *function = Function::Create(llvm::FunctionType::get(i32, types, false),
                                    Function::ExternalLinkage, symbol, module);
  auto call = module.getOrInsertFunction(
      "mindrt_call",
      llvm::FunctionType::get(i32, {pointer, pointer, pointer}, false));
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  auto *list =
      builder.CreateAlloca(llvm::ArrayType::get(pointer, std::max<size_t>(count, 1)));
  for (size_t i = 0; i < count; ++i)
    builder.CreateStore(function->getArg(i),
                        builder.CreateConstInBoundsGEP1_64(pointer, list, i));
  builder.CreateRet(builder.CreateCall(
      call, {module.getFunction(kPackedEntryName),
             addSignature(module, signature), list}));
  return Error::success();
}
