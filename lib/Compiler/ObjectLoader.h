//===- ObjectLoader.h - objects linked into the process -------------------===//
//
// One ORC session for the process; each object gets a scope of its own, which is
// unloaded with it.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_COMPILER_OBJECTLOADER_H
#define MINDIR_LIB_COMPILER_OBJECTLOADER_H

#include "llvm/ExecutionEngine/Orc/LLJIT.h"

namespace mlir::mindir {

class ObjectLoader {
public:
  /// The process's loader; the same failure each time when there can be none.
  static llvm::Expected<ObjectLoader *> get();

  /// Links an object against the runtime, libm and libc.
  llvm::Expected<llvm::orc::JITDylib *>
  load(std::unique_ptr<llvm::MemoryBuffer> object);
  /// The address of a symbol that a loaded object defines.
  llvm::Expected<void *> lookup(llvm::orc::JITDylib &scope, llvm::StringRef name);
  /// Frees an object's memory. Its code must not be running.
  void unload(llvm::orc::JITDylib &scope);

private:
  static llvm::Expected<std::unique_ptr<ObjectLoader>> create();

  std::unique_ptr<llvm::orc::LLJIT> jit;
  llvm::orc::JITDylib *libraries = nullptr;
  std::atomic<uint64_t> count{0};
};

} // namespace mlir::mindir

#endif // MINDIR_LIB_COMPILER_OBJECTLOADER_H
