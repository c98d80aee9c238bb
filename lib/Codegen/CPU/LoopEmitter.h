//===- LoopEmitter.h - a linalg op on buffers as loops --------------------===//
//
// Chooses loop order, accumulators and chunks for one op, and emits it.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_CODEGEN_CPU_LOOPEMITTER_H
#define MINDIR_LIB_CODEGEN_CPU_LOOPEMITTER_H

#include "LoopNest.h"

namespace mlir::mindir {

/// Emits one `linalg.generic` on buffers as loops of elements before it; the op
/// stays. LLVM vectorizes what it can: use `VectorEmitter` where that applies.
class LoopEmitter {
public:
  LoopEmitter(OpBuilder &builder, LoopNest nest);
  void emit();

private:
  void chooseOrder();

  void emitWhole();
  void emitChunked();
  /// An outer loop along which an input is contiguous that is strided along the
  /// innermost: the op transposes.
  std::optional<unsigned> findTransposedLoop();
  void emitTransposed(unsigned dim);
  /// Sets the positions of loops from one number that counts their iterations.
  void unfold(Value iteration, ArrayRef<unsigned> dims);
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
  bool isReduction(unsigned dim) const { return nest.isReduction(dim); }
  bool outputsAreFixedInReductions();

  OpBuilder &b;
  Location loc;
  LoopNest nest;
  linalg::GenericOp op;
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
