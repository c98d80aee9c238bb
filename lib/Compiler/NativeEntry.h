//===- NativeEntry.h - a compiled entry as a C function -------------------===//
//
// The function by which C programs call ahead-of-time compiled code.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_COMPILER_NATIVEENTRY_H
#define MINDIR_LIB_COMPILER_NATIVEENTRY_H

#include "mindir/Compiler/CallSignature.h"

#include "llvm/IR/Module.h"

namespace mlir::mindir {

/// A parameter of the C function; all are pointers.
struct NativeParameter {
  enum class Kind {
    Input,       ///< elements of an argument
    InOut,       ///< elements of an argument that is updated
    InputSizes,  ///< sizes of an argument
    Output,      ///< memory for a result's elements
    OutputBuffer,///< where the address of a result's buffer is written
    OutputSizes  ///< where a result's sizes are written
  };
  Kind kind;
  /// Number of the argument or result.
  unsigned index;
  const ArrayType *type;
};

/// The parameters in order: of each argument, then of each result that is neither
/// a token nor an update.
std::vector<NativeParameter> getNativeParameters(const CallSignature &signature);

/// Adds the function `int symbol(parameters)`, which calls the packed entry by
/// `mindrt_call`. Fails when the code calls an outside function of that name.
llvm::Error addNativeEntry(llvm::Module &module, const CallSignature &signature,
                           llvm::StringRef symbol);

} // namespace mlir::mindir

#endif // MINDIR_LIB_COMPILER_NATIVEENTRY_H
