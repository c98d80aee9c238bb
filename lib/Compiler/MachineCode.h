//===- MachineCode.h - LLVM IR to object code -----------------------------===//
//
// The part of a compilation that knows LLVM but not MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_COMPILER_MACHINECODE_H
#define MINDIR_LIB_COMPILER_MACHINECODE_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

#include <functional>
#include <string>

namespace mlir::mindir {

/// A processor to compile for.
struct Processor {
  std::string triple, cpu, features;

  /// The processor of this machine.
  static llvm::Expected<Processor> getHost();
  /// Position-independent code in the small code model.
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
  createMachine(unsigned optimizationLevel) const;
};

/// Checks the module, optimizes it for `machine` and emits an object. Code other
/// than the function `exported` becomes local to the object. With
/// `isInterrupted` true the remaining passes are skipped; the caller must not use
/// what comes out.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
emitObject(llvm::Module &module, llvm::TargetMachine &machine,
           unsigned optimizationLevel, llvm::StringRef exported,
           const std::function<bool()> &isInterrupted);

/// Adds the function `kPackedEntryName` that calls `callee`, the C interface of an
/// entry with `numPointers` pointer arguments.
void addPackedEntry(llvm::Module &module, llvm::StringRef callee,
                    unsigned numPointers);

} // namespace mlir::mindir

#endif // MINDIR_LIB_COMPILER_MACHINECODE_H
