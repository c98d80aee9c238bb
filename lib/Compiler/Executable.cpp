//===- Executable.cpp - compiled code that runs on arrays -----------------===//
//
// Loading and lifetime of the machine code; Call.cpp makes the calls.
//
//===----------------------------------------------------------------------===//

#include "mindir/Compiler/Executable.h"

#include "Call.h"
#include "ObjectLoader.h"

using namespace mlir;
using namespace mlir::mindir;

struct Executable::LoadedCode {
  ObjectLoader &loader;
  llvm::orc::JITDylib &scope;

  LoadedCode(ObjectLoader &loader, llvm::orc::JITDylib &scope)
      : loader(loader), scope(scope) {}
  ~LoadedCode() { loader.unload(scope); }
};

Executable::Executable(CallSignature signature,
                       std::unique_ptr<LoadedCode> code, PackedEntry entry)
    : signature(std::move(signature)), code(std::move(code)), entry(entry) {}

Executable::~Executable() = default;

llvm::Expected<std::shared_ptr<Executable>>
Executable::load(std::unique_ptr<llvm::MemoryBuffer> object,
                 CallSignature signature) {
  auto loader = ObjectLoader::get();
  if (!loader)
    return loader.takeError();
  auto scope = (*loader)->load(std::move(object));
  if (!scope)
    return scope.takeError();
  auto code = std::make_unique<LoadedCode>(**loader, **scope);
  auto address = (*loader)->lookup(**scope, kPackedEntryName);
  if (!address)
    return address.takeError();
  auto entry = reinterpret_cast<PackedEntry>(*address);
  return std::shared_ptr<Executable>(
      new Executable(std::move(signature), std::move(code), entry));
}

mindrt::Status Executable::run(llvm::ArrayRef<mindrt::Array *> arguments,
                               std::vector<mindrt::Array> &results) const {
  Call call(signature, arguments);
  MINDRT_TRY(call.prepare());
  mindrt_clear_error();
  if (mindrt_run(entry, call.getPointers()) != MINDRT_OK)
    return mindrt::lastError();
  return call.finish(results);
}
