//===- Call.h - one call of compiled code ---------------------------------===//
//
// What belongs to a running call: locks, temporary copies and descriptors.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_COMPILER_CALL_H
#define MINDIR_LIB_COMPILER_CALL_H

#include "mindir/Compiler/CallSignature.h"
#include "mindir/Runtime/Array.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace mlir::mindir {

class Call {
public:
  Call(const CallSignature &signature, llvm::ArrayRef<mindrt::Array *> arguments)
      : signature(signature), arguments(arguments) {}
  Call(const Call &) = delete;
  ~Call();

  /// Checks the arguments, locks their buffers, copies those that the code cannot
  /// take as they are, and lays out the descriptors.
  mindrt::Status prepare();
  /// What the packed entry takes.
  void **getPointers() { return pointers.data(); }
  /// Takes over the returned buffers and writes updates, after a run that succeeded.
  mindrt::Status finish(std::vector<mindrt::Array> &results);

private:
  struct Lock {
    mindrt::Buffer *buffer;
    bool isExclusive;
    unsigned uses;
  };

  mindrt::Status checkArguments() const;
  void acquireLocks();
  bool mustCopy(unsigned index) const;
  const Lock &getLock(const mindrt::Array &array) const;
  int64_t *layOut(const mindrt::Array &array, int64_t *words);
  void layOutDescriptors();
  mindrt::Status takeReturned(const CallResult &result, mindrt::Array &array);
  bool isBorrowed(const void *allocated) const;
  mindrt::Status writeUpdate(const CallResult &result,
                             const mindrt::Array &returned);

  const CallSignature &signature;
  llvm::ArrayRef<mindrt::Array *> arguments;
  llvm::SmallVector<bool, 8> isUpdated;
  /// Ordered by address.
  llvm::SmallVector<Lock, 8> locks;
  /// The arrays that the code works on: an argument, or its copy.
  llvm::SmallVector<mindrt::Array, 8> copies;
  llvm::SmallVector<int64_t, 64> words;
  llvm::SmallVector<int64_t *, 4> returned;
  llvm::SmallVector<void *, 16> pointers;
  llvm::SmallVector<void *, 4> adopted;
};

} // namespace mlir::mindir

#endif // MINDIR_LIB_COMPILER_CALL_H
