//===- RuntimeCalls.h - building calls of the runtime ---------------------===//
//
// What generated code needs to call the C ABI of `mindir-c/Runtime.h`.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_CONVERSION_RUNTIMECALLS_H
#define MINDIR_CONVERSION_RUNTIMECALLS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::mindir {

/// `MindrtDType` of an element type; signless integers count as signed. -1 for a
/// type that the runtime does not know.
int32_t getRuntimeDType(Type element);

/// Declares a private function of the module around the insertion point, unless it
/// is there.
void declareRuntimeFunction(OpBuilder &builder, StringRef name,
                            FunctionType type);

/// Calls a runtime function, declaring it; types are those of the C ABI.
SmallVector<Value> callRuntime(OpBuilder &builder, Location loc, StringRef name,
                               TypeRange results, ValueRange operands);

/// The address of a zero-terminated constant string.
Value createRuntimeString(OpBuilder &builder, Location loc, StringRef text);

/// Stack space for `count` values of `type`, in the entry of the function around
/// the insertion point, so that a loop does not grow the stack.
Value createStackSlot(OpBuilder &builder, Location loc, Type type, int64_t count);

/// The address of a `MindrtMemRef` on the stack that describes `buffer`, its
/// dimensions permuted when `permutation` is not empty.
Value createRuntimeMemRef(OpBuilder &builder, Location loc, Value buffer,
                          int32_t dtype, ArrayRef<int64_t> permutation = {});

/// Attribute of a `mindir.library_call`: one array per operand, empty or the
/// permutation in which the library sees the operand's dimensions.
inline constexpr StringLiteral kPermutationsName = "mindir.permutations";

/// The address of an array on the stack that holds addresses.
Value createPointerArray(OpBuilder &builder, Location loc, ValueRange pointers);

} // namespace mlir::mindir

#endif // MINDIR_CONVERSION_RUNTIMECALLS_H
