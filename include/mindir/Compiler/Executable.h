//===- Executable.h - compiled code that runs on arrays -------------------===//
//
// Loaded machine code with its signature. It keeps no state: it may run on
// several threads at once.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_COMPILER_EXECUTABLE_H
#define MINDIR_COMPILER_EXECUTABLE_H

#include "mindir/Compiler/CallSignature.h"
#include "mindir/Runtime/Array.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <vector>

namespace mlir::mindir {

/// The name of the function in an object by which an Executable calls it: it
/// takes a list of pointers, to the returned descriptors, if any, and to the
/// descriptor of each argument.
inline constexpr llvm::StringLiteral kPackedEntryName = "mindir_packed_entry";

class Executable {
public:
  /// Loads an object file that defines `kPackedEntryName`.
  static llvm::Expected<std::shared_ptr<Executable>>
  load(std::unique_ptr<llvm::MemoryBuffer> object, CallSignature signature);
  ~Executable();

  const CallSignature &getSignature() const { return signature; }

  /// Runs the code. `results` gets one array per declared result, empty for
  /// tokens and for updates, which are written into the buffer of the argument
  /// that they update. That buffer is overwritten while running when the argument
  /// is its only holder, else copied first and written at the end.
  /// Fails with a type or value error for other types than declared, and with
  /// what the code recorded in the thread's error slot.
  mindrt::Status run(llvm::ArrayRef<mindrt::Array *> arguments,
                     std::vector<mindrt::Array> &results) const;

private:
  struct LoadedCode;
  using PackedEntry = void (*)(void **);

  Executable(CallSignature signature, std::unique_ptr<LoadedCode> code,
             PackedEntry entry);

  CallSignature signature;
  std::unique_ptr<LoadedCode> code;
  PackedEntry entry;
};

} // namespace mlir::mindir

#endif // MINDIR_COMPILER_EXECUTABLE_H
