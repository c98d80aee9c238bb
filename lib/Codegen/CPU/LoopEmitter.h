//===- LoopEmitter.h - a linalg op on buffers as loops --------------------===//
//
// Chooses loop order, accumulators and chunks for one op, and emits it.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_CODEGEN_CPU_LOOPEMITTER_H
#define MINDIR_LIB_CODEGEN_CPU_LOOPEMITTER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::mindir {

/// Emits one `linalg.generic` on buffers as loops before it; the op stays.
class LoopEmitter {
public:
  LoopEmitter(OpBuilder &builder, linalg::GenericOp op);
  void emit();

private:
  /// Operand buffers, maps and iterators; adjacent dimensions that all operands walk
  /// through contiguously are made one.
  void collapse();
  /// The number of iterations of a loop.
  Value getLoopSize(unsigned dim);
  void chooseOrder();

  void emitWhole();
  void emitChunked();
  /// The loops over `dims`, outermost first, then `body`.
  void emitLoops(ArrayRef<unsigned> dims, function_ref<void()> body);
  /// Everything inside the outer loops.
  void emitInner();
  void emitRegisterReduction();
  Value emitBlockedSum(unsigned dim, Value init);
  SmallVector<Value> emitReductionLoops(ArrayRef<unsigned> dims,
                                        ValueRange accumulators);

  /// One iteration on loaded operands with the given output values.
  SmallVector<Value> emitBody(ValueRange outputs);
  void emitBodyInMemory();
  /// Reductions outside of a parallel innermost loop, in strips of it.
  void emitStripReduction();
  void emitStripBody(ValueRange accumulators, Value count);
  void emitStripSum(ValueRange accumulators, Value count);
  void forEachInStrip(Value count, function_ref<void(Value)> body);
  Value createStripBuffer(Type element);
  Value loadOperand(unsigned index);
  SmallVector<Value> getPosition(unsigned index);
  void storeOutput(unsigned output, Value value);

  /// Whether the op is an f32 or f64 sum into one output.
  Operation *getCombiner();
  bool isFloatSum();
  bool isReduction(unsigned dim) const;
  bool outputsAreFixedInReductions();
  int64_t getBodyCost();
  /// The product of the sizes of some loops, or nothing when one is unknown.
  std::optional<int64_t> getStaticProduct(ArrayRef<unsigned> dims);
  Value getProduct(ArrayRef<unsigned> dims);

  OpBuilder &b;
  Location loc;
  linalg::GenericOp op;
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  SmallVector<utils::IteratorType> iterators;
  SmallVector<Value> sizes;
  /// The current position of each loop.
  SmallVector<Value> position;

  /// Parallel loops outside; reductions; the innermost loop.
  SmallVector<unsigned> outer, reductions;
  std::optional<unsigned> innermost;
  bool accumulatesInRegisters = false;
  /// Bounds of the innermost loop when it is what chunks cut.
  Value innermostLo, innermostHi;
  /// Where the current strip of the innermost loop begins.
  Value stripStart;
  /// Stack buffers are made behind this op, outside of every loop.
  Operation *stackAnchor = nullptr;
};

} // namespace mlir::mindir

#endif // MINDIR_LIB_CODEGEN_CPU_LOOPEMITTER_H
