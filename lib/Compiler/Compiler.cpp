//===- Compiler.cpp - from a mindir module to code that runs --------------===//
//
// Puts lowering, code generation, the cache on disk and loading together.
//
//===----------------------------------------------------------------------===//

#include "mindir/Compiler/Compiler.h"

#include "Lowering.h"
#include "MachineCode.h"
#include "NativeEntry.h"

#include "mindir/Compiler/DiskCache.h"
#include "mindir/Pipelines/Phases.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <dlfcn.h>

using namespace mlir;
using namespace mlir::mindir;

//===----------------------------------------------------------------------===//
// What code depends on
//===----------------------------------------------------------------------===//

/// Identifies the build that holds `symbol`: the size and time of its file.
static std::string getBuildId(const void *symbol) {
  Dl_info info;
  llvm::sys::fs::file_status status;
  if (!dladdr(symbol, &info) || !info.dli_fname ||
      llvm::sys::fs::status(info.dli_fname, status))
    return "unknown";
  return std::to_string(status.getSize()) + "@" +
         std::to_string(status.getLastModificationTime()
                            .time_since_epoch()
                            .count());
}

/// All but the module's text, one line each.
static std::string describe(const Processor &processor,
                            const CompileOptions &options) {
  static const std::string builds =
      getBuildId(reinterpret_cast<const void *>(&getCPUPhases)) + "\n" +
      getBuildId(reinterpret_cast<const void *>(&mindrt_alloc)) + "\n" +
      LLVM_VERSION_STRING + "\n";
  return builds + processor.triple + "\n" + processor.cpu + "\n" +
         processor.features + "\n" +
         std::to_string(options.optimizationLevel) + "\n" + options.entry +
         "\n" +
         (options.libraries ? llvm::join(*options.libraries, ",") : "default") +
         "\n";
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// Lowers the module and adds the packed entry.
static llvm::Expected<LoweredModule> lower(const ModuleSource &source,
                                           const CompileOptions &options) {
  llvm::Expected<LoweredModule> lowered = lowerModule(source, options);
  if (!lowered)
    return lowered;
  std::string callee = "_mlir_ciface_" + lowered->entry;
  llvm::Function *function = lowered->module->getFunction(callee);
  if (!function)
    return llvm::createStringError("the lowered module has no function '" +
                                   callee + "'");
  addPackedEntry(*lowered->module, callee, function->arg_size());
  return lowered;
}

static llvm::Expected<CompiledObject>
generate(const ModuleSource &source, const CompileOptions &options,
         const Processor &processor, StringRef exported) {
  llvm::Expected<LoweredModule> lowered = lower(source, options);
  if (!lowered)
    return lowered.takeError();
  if (exported != kPackedEntryName)
    if (llvm::Error error =
            addNativeEntry(*lowered->module, lowered->signature, exported))
      return error;
  auto machine = processor.createMachine(options.optimizationLevel);
  if (!machine)
    return machine.takeError();
  auto object = emitObject(*lowered->module, **machine,
                           options.optimizationLevel, exported,
                           options.isInterrupted);
  if (!object)
    return object.takeError();
  return CompiledObject{std::move(*object), std::move(lowered->signature)};
}

static void warn(const CompileOptions &options, llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  // Once is enough: the next entry will not fit either.
  static std::atomic<bool> isKnown{false};
  if (options.warn && !isKnown.exchange(true))
    options.warn("compiled code cannot be kept on disk and will be compiled "
                 "again by each process: " +
                 text);
}

/// What the cache has, loaded; null when nothing, or nothing that loads.
static std::shared_ptr<Executable> loadCached(const DiskCache &cache,
                                              StringRef key) {
  std::optional<DiskCache::Entry> entry = cache.read(key);
  if (!entry)
    return nullptr;
  std::optional<CallSignature> signature = CallSignature::parse(entry->signature);
  if (!signature)
    return nullptr;
  auto executable =
      Executable::load(std::move(entry->object), std::move(*signature));
  if (!executable) {
    llvm::consumeError(executable.takeError());
    return nullptr;
  }
  return *executable;
}

llvm::Expected<std::shared_ptr<Executable>>
mlir::mindir::compile(const ModuleSource &source, const CompileOptions &options) {
  llvm::Expected<Processor> host = Processor::getHost();
  if (!host)
    return host.takeError();
  std::optional<DiskCache> cache;
  std::string key;
  if (options.cacheDirectory) {
    cache.emplace(*options.cacheDirectory, options.cacheBytes);
    key = DiskCache::makeKey(describe(*host, options) + source.text.str());
  }
  if (cache && options.saveGraphsPath.empty())
    if (std::shared_ptr<Executable> executable = loadCached(*cache, key))
      return executable;
  llvm::Expected<CompiledObject> compiled = 
      generate(source, options, *host, kPackedEntryName);
  if (!compiled)
    return compiled.takeError();
  if (cache)
    if (llvm::Error error =
            cache->write(key, compiled->signature.serialize(),
                         compiled->object->getBuffer()))
      warn(options, std::move(error));
  return Executable::load(std::move(compiled->object),
                          std::move(compiled->signature));
}

llvm::Expected<CompiledObject>
mlir::mindir::compileObject(const ModuleSource &source,
                            const ObjectOptions &options) {
  llvm::Expected<Processor> processor = Processor::getHost();
  if (!processor)
    return processor.takeError();
  if (!options.triple.empty())
    *processor = {options.triple, options.cpu, options.features};
  return generate(source, options, *processor, options.symbol);
}
