//===- ObjectLoader.cpp - objects linked into the process -----------------===//
//
// Symbols are looked up in named libraries only: in a Python process the runtime
// is not among the global symbols.
//
//===----------------------------------------------------------------------===//

#include "ObjectLoader.h"

#include "mindir-c/Runtime.h"

#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/Support/TargetSelect.h"

#include <dlfcn.h>

using namespace llvm;
using namespace llvm::orc;
using namespace mlir::mindir;

/// The file that the runtime was loaded from.
static std::string getRuntimePath() {
  Dl_info info;
  auto *symbol = reinterpret_cast<const void *>(&mindrt_alloc);
  return dladdr(symbol, &info) && info.dli_fname ? info.dli_fname : "";
}

Expected<std::unique_ptr<ObjectLoader>> ObjectLoader::create() {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  auto host = JITTargetMachineBuilder::detectHost();
  if (!host)
    return host.takeError();
  auto jit =
      LLJITBuilder()
          .setJITTargetMachineBuilder(std::move(*host))
          .setPlatformSetUp(setUpInactivePlatform)
          .setLinkProcessSymbolsByDefault(false)
          // Compiled code never unwinds: no frames are registered.
          .setObjectLinkingLayerCreator([](ExecutionSession &session) {
            return Expected<std::unique_ptr<ObjectLayer>>(
                std::make_unique<ObjectLinkingLayer>(session));
          })
          .create();
  if (!jit)
    return jit.takeError();
  auto loader = std::make_unique<ObjectLoader>();
  loader->jit = std::move(*jit);
  ExecutionSession &session = loader->jit->getExecutionSession();
  // Failures are returned by `lookup` already.
  session.setErrorReporter([](Error error) { consumeError(std::move(error)); });
  loader->libraries = &session.createBareJITDylib("libraries");
  for (std::string path : {getRuntimePath(), std::string("libm.so.6"),
                           std::string("libc.so.6")}) {
    auto generator = DynamicLibrarySearchGenerator::Load(
        path.c_str(), loader->jit->getDataLayout().getGlobalPrefix());
    if (!generator)
      return generator.takeError();
    loader->libraries->addGenerator(std::move(*generator));
  }
  return loader;
}

Expected<ObjectLoader *> ObjectLoader::get() {
  // Never destroyed: executables may outlive static destructors.
  static auto *result = new Expected<std::unique_ptr<ObjectLoader>>(create());
  static const std::string failure =
      *result ? "" : toString(result->takeError());
  if (!failure.empty())
    return createStringError("the machine code loader could not start: " +
                             failure);
  return result->get().get();
}

Expected<JITDylib *> ObjectLoader::load(std::unique_ptr<MemoryBuffer> object) {
  ExecutionSession &session = jit->getExecutionSession();
  JITDylib &scope =
      session.createBareJITDylib("object" + std::to_string(count++));
  scope.addToLinkOrder(*libraries);
  if (Error error = jit->addObjectFile(scope, std::move(object))) {
    unload(scope);
    return error;
  }
  return &scope;
}

Expected<void *> ObjectLoader::lookup(JITDylib &scope, StringRef name) {
  auto address = jit->lookup(scope, name);
  if (!address)
    return address.takeError();
  return address->toPtr<void *>();
}

void ObjectLoader::unload(JITDylib &scope) {
  consumeError(jit->getExecutionSession().removeJITDylib(scope));
}
