//===- Lowering.h - from a mindir module to LLVM IR -----------------------===//
//
// The part of a compilation that knows MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_COMPILER_LOWERING_H
#define MINDIR_LIB_COMPILER_LOWERING_H

#include "mindir/Compiler/Compiler.h"

#include "mlir/IR/DialectRegistry.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace mlir::mindir {

/// Every dialect with its interfaces and translations, made once.
const DialectRegistry &getCompilerRegistry();

/// A lowered module. `context` owns `module`.
struct LoweredModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  CallSignature signature;
  /// The entry's name in `module`.
  std::string entry;
};

/// Parses the module and runs every phase on it.
llvm::Expected<LoweredModule> lowerModule(const ModuleSource &source,
                                          const CompileOptions &options);

/// A file of `options.saveGraphsPath`, named by its place in the order.
llvm::Error saveGraph(const CompileOptions &options, unsigned index,
                      llvm::StringRef name,
                      llvm::function_ref<void(llvm::raw_ostream &)> print);

} // namespace mlir::mindir

#endif // MINDIR_LIB_COMPILER_LOWERING_H
