//===- LoweringUtils.h - what the families' lowerings share ---------------===//
//
// Element types and arithmetic of scalars, and builders of loops on tensors.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_CONVERSION_MINDIRTOLINALG_LOWERINGUTILS_H
#define MINDIR_LIB_CONVERSION_MINDIRTOLINALG_LOWERINGUTILS_H

#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::mindir {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Maps mindir's types to those of the lowered program: unsigned elements to
/// signless ones, tokens to i1, tapes to pointers.
class LinalgTypeConverter : public TypeConverter {
public:
  LinalgTypeConverter();
};

/// The type of an element in arithmetic: f32 for f16 and bf16, signless integers.
Type getComputeType(Type element);

/// The signless form of an element type.
Type getSignlessType(Type element);

/// Element type of a tensor type or value.
inline Type elementTypeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// Arithmetic on scalars of one mindir element type, which says the signedness.
class ScalarBuilder {
public:
  ScalarBuilder(OpBuilder &builder, Location loc, Type element);

  bool isFloat() const { return isa<FloatType>(element); }
  bool isBool() const { return element.isInteger(1); }
  bool isUnsigned() const;

  /// Integers and integral floats; of the compute type.
  Value constant(double value);
  /// The least and greatest value; infinities of floats.
  Value lowest();
  Value highest();

  Value add(Value lhs, Value rhs);
  Value sub(Value lhs, Value rhs);
  Value mul(Value lhs, Value rhs);
  Value max(Value lhs, Value rhs);
  Value min(Value lhs, Value rhs);
  Value compare(ComparePredicate predicate, Value lhs, Value rhs);
  /// Whether lhs precedes rhs as an extreme: greater (less for minima), or NaN
  /// where rhs is none.
  Value beats(Value lhs, Value rhs, bool maximum);

  /// An integer or an f64 in the compute type, such that `store` gives what one
  /// rounding of it would.
  Value fromInteger(Value integer, bool isUnsigned);
  Value fromDouble(Value wide);

  /// From storage to the compute type, and back with rounding.
  Value load(Value stored);
  Value store(Value computed);

  OpBuilder &b;
  Location loc;
  /// The mindir element type, and the type of its arithmetic.
  Type element, compute;
};

/// The scalar computation of an elementwise op on loaded operands; `loaded` and
/// the result have compute types.
Value emitElementwiseScalar(OpBuilder &builder, Operation *op, ValueRange loaded);

//===----------------------------------------------------------------------===//
// Loops on tensors
//===----------------------------------------------------------------------===//

using BodyBuilder = function_ref<Value(OpBuilder &, Location, ValueRange)>;
using MultiBodyBuilder =
    function_ref<SmallVector<Value>(OpBuilder &, Location, ValueRange)>;

/// `tensor.empty` of a type, whose unknown sizes are those of `like`.
Value createEmptyLike(OpBuilder &builder, Location loc, RankedTensorType type,
                      Value like);
/// `tensor.empty` of a type with the given unknown sizes.
Value createEmpty(OpBuilder &builder, Location loc, RankedTensorType type,
                  ValueRange dynamicSizes);
/// Whether a tensor is known to have no elements. Upstream's slices must begin inside
/// a tensor, so that they cannot express one.
inline bool isEmpty(RankedTensorType type) {
  return llvm::is_contained(type.getShape(), 0);
}
/// A tensor filled with a scalar.
Value createFilled(OpBuilder &builder, Location loc, RankedTensorType type,
                   ValueRange dynamicSizes, Value scalar);

/// A `linalg.generic` that reads `inputs` through `maps` (one each, then one per
/// init) and writes `inits`.
SmallVector<Value> createLoops(OpBuilder &builder, Location loc,
                               ValueRange inputs, ValueRange inits,
                               ArrayRef<AffineMap> maps,
                               ArrayRef<utils::IteratorType> iterators,
                               MultiBodyBuilder body);
/// As above for one init.
Value createLoop(OpBuilder &builder, Location loc, ValueRange inputs, Value init,
                 ArrayRef<AffineMap> maps,
                 ArrayRef<utils::IteratorType> iterators, BodyBuilder body);
/// A parallel loop over all elements of `init`, inputs read at equal indices.
Value createParallelLoop(OpBuilder &builder, Location loc, ValueRange inputs,
                         Value init, BodyBuilder body);

/// Rounds a tensor of accumulators (compute type) to `element`'s storage.
Value roundToStorage(OpBuilder &builder, Location loc, Value tensor,
                     Type element, RankedTensorType resultType);

/// The size of a dimension as an index value.
Value getSize(OpBuilder &builder, Location loc, Value tensor, int64_t dim);

/// All sizes of a tensor as index values.
SmallVector<Value> getSizes(OpBuilder &builder, Location loc, Value tensor);
/// All sizes of `type`, `dynamicSizes` where it does not know them.
SmallVector<Value> getSizes(OpBuilder &builder, Location loc,
                            RankedTensorType type, ValueRange dynamicSizes);

/// The sizes of `type`: constants where known, `dynamicSizes` in order elsewhere.
SmallVector<OpFoldResult> getMixedSizes(OpBuilder &builder,
                                        RankedTensorType type,
                                        ValueRange dynamicSizes);

/// The tensor as `type`, which may know other sizes.
Value castTensor(OpBuilder &builder, Location loc, Value tensor,
                 RankedTensorType type);

/// `arith.constant` of type index.
Value indexConstant(OpBuilder &builder, Location loc, int64_t value);

/// Ends the running call with an error when `isBad` (i1) holds. Inside a parallel loop
/// and without `mindrt_run` around, code goes on: it must not access what is not there.
void emitErrorIf(OpBuilder &builder, Location loc, Value isBad, int64_t code,
                 StringRef message);

/// Conditions on sizes that types leave open, checked when run. `emit` ends the call
/// with a ValueError, "For '<Op>', <message>", if one of them does not hold.
class SizeChecks {
public:
  SizeChecks(OpBuilder &builder, Location loc) : b(builder), loc(loc) {}
  /// Dimensions that must have equal sizes.
  void expectEqual(Value lhs, int64_t lhsDim, Value rhs, int64_t rhsDim);
  /// Index values that must be equal.
  void expectEqual(Value lhs, Value rhs);
  /// Index values of which the first must not exceed the second.
  void expectAtMost(Value lhs, Value rhs);
  void emit(Operation *op, StringRef message);

private:
  void expectNot(arith::CmpIPredicate predicate, Value lhs, Value rhs);
  OpBuilder &b;
  Location loc;
  Value isBad;
};

/// The name that an op has in messages: `floor_div` is FloorDiv.
std::string getTitle(Operation *op);

/// `mindir.library_call` that writes `init`; operands (the init last) are seen by the
/// library in `permutations` where given.
Value createLibraryCall(OpBuilder &builder, Location loc, StringRef name,
                        ValueRange inputs, Value init, ArrayRef<int64_t> config,
                        ArrayRef<SmallVector<int64_t>> permutations = {});

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

void populateElementwiseToLinalg(const TypeConverter &, RewritePatternSet &);
void populateReductionToLinalg(const TypeConverter &, RewritePatternSet &);
/// With `useOneDNN` the library computes what it has and where it pays.
void populateLinearToLinalg(const TypeConverter &, RewritePatternSet &,
                            bool useOneDNN);
void populateConvolutionToLinalg(const TypeConverter &, RewritePatternSet &,
                                 bool useOneDNN);
void populatePoolingToLinalg(const TypeConverter &, RewritePatternSet &);
void populateNormalizationToLinalg(const TypeConverter &, RewritePatternSet &);
void populateMovementToLinalg(const TypeConverter &, RewritePatternSet &);
void populateIndexingToLinalg(const TypeConverter &, RewritePatternSet &);
void populateRandomToLinalg(const TypeConverter &, RewritePatternSet &);
void populateStateToLinalg(const TypeConverter &, RewritePatternSet &);
void populateControlFlowToLinalg(const TypeConverter &, RewritePatternSet &);

} // namespace mlir::mindir

#endif // MINDIR_LIB_CONVERSION_MINDIRTOLINALG_LOWERINGUTILS_H
