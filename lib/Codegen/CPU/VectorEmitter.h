//===- VectorEmitter.h - a linalg op on buffers as loops of vectors -------===//
//
// Emits ops whose operands are contiguous along one loop, elementwise or reducing,
// with any number of results.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_CODEGEN_CPU_VECTOREMITTER_H
#define MINDIR_LIB_CODEGEN_CPU_VECTOREMITTER_H

#include "LoopNest.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::mindir {

/// The loops are ordered: those that every output depends on (outer), the others
/// (rows), and the innermost, which runs on vectors. An output that does not depend
/// on some loop accumulates: along the innermost loop in a strip of vectors, or in
/// one vector that is reduced at the end.
///
/// Work is cut for threads along the outer loops, or else along a row loop or the
/// innermost, into parts whose number depends on sizes alone: each part accumulates
/// into its own row of a table, and the rows are combined in order. So results do
/// not depend on the number of threads.
class VectorEmitter {
public:
  VectorEmitter(OpBuilder &b, LoopNest nest);

  /// Whether the op can be emitted so.
  bool analyze();
  /// Emits the op before itself; the op stays.
  void emit();

private:
  /// An output, and how it gets its value.
  struct Output {
    unsigned operand;
    /// The op that combines old and new value; null when each iteration writes its
    /// own element.
    Operation *combiner = nullptr;
    bool variesAlongInner = false;
    /// Accumulators of the running block of rows: a strip of the innermost loop, or
    /// one vector, and an element for what is behind the last whole vector.
    SmallVector<Value, 2> block;
    /// The same of all blocks before; empty when there is one block.
    SmallVector<Value, 2> total;
    /// Accumulators of every part of the cut loop, when the parts share the output.
    Value parts;
  };

  // Analysis.
  bool chooseInner();
  bool describeOutputs();
  void orderLoops();
  bool accumulates() const;
  bool hasColumns() const;
  bool hasFloatSum() const;

  // Work and threads.
  bool isSmall() const;
  /// Chooses what is cut; whether it is the outer loops.
  bool chooseCut();
  unsigned chooseCutOfReduction() const;
  void emitOuterChunks();
  void emitParts();
  int64_t getMostParts() const;
  Value getPartLength();
  void createParts();
  void combineParts(Value count);

  // Loops.
  void emitLoop(Value lo, Value hi, Value step, function_ref<void(Value)> body);
  void emitOuterLoops(ArrayRef<unsigned> dims);
  /// Everything for one position of the outer loops.
  void emitBlock();
  void emitStrips();
  void emitRowBlocks();
  void emitRows(ArrayRef<unsigned> dims, Value lo, Value hi);
  void emitInner();
  void emitInnerLoops(Value lo, Value hi);
  SmallVector<Value> emitInnerLoop(Value lo, Value hi, unsigned numVectors,
                                   bool onVectors, ValueRange sums);
  /// Runs `body` along [lo, hi) of the innermost loop, on vectors, then elements.
  void emitSpan(Value lo, Value hi, function_ref<void(bool)> body);
  /// The end of the whole groups of `group` elements in [lo, hi).
  Value getWholeEnd(Value lo, Value hi, int64_t group);

  // Accumulators.
  void createAccumulators();
  void start(const Output &output, ArrayRef<Value> buffers);
  void startAccumulators(bool alongInner);
  void flushBlock(const Output &output);
  void finishAccumulators(bool alongInner);
  void storeStrip(const Output &output);
  void storeSum(const Output &output);
  /// Runs `body` on the offset of each vector of a buffer.
  void forEachVector(Value buffer, function_ref<void(Value)> body);
  Value loadVector(Value buffer, ValueRange indices);
  Value combine(const Output &output, Value lhs, Value rhs);
  Value getNeutral(const Output &output, bool onVectors);

  // Elements.
  void hoistInvariants();
  SmallVector<Value> getPosition(unsigned operand);
  Value getStripPosition();
  Value load(unsigned operand, bool onVectors);
  Value loadFrom(Value buffer, ValueRange indices, bool onVectors);
  void store(unsigned operand, Value value);
  void storeTo(Value value, Value buffer, ValueRange indices);
  /// One iteration, on vectors or on elements; `sums` are the values of the outputs
  /// that do not vary along the innermost loop, which are given back combined.
  SmallVector<Value> emitBody(bool onVectors, ValueRange sums);
  SmallVector<Value> cloneBody(bool onVectors, ArrayRef<Value> arguments);
  Type getElementType(const Output &output) const;
  Value index(int64_t value);
  Value createStack(ArrayRef<int64_t> shape, Type element);

  OpBuilder &b;
  Location loc;
  LoopNest nest;
  int64_t lanes = 0;
  unsigned inner = 0;
  SmallVector<unsigned> outer, rows;
  SmallVector<Output> outputs;
  /// The current position of each loop.
  SmallVector<Value> position;
  /// The range of the innermost loop that is to run: all of it or a part, and of
  /// that the strip.
  Value innerLo, innerHi, stripLo, stripHi;
  /// The loop that is cut into parts, and which part runs.
  std::optional<unsigned> cut;
  Value part, partLo, partHi, partLength;
  /// Elements of a strip: a multiple of the vector's.
  int64_t stripSize = 0;
  /// Whether the accumulators of blocks of rows are added.
  bool isBlocked = false;
  /// Values that inputs have along the whole innermost loop; null for the others.
  SmallVector<Value> invariants;
  /// Stack buffers are made behind this op, outside of every loop.
  Operation *stackAnchor = nullptr;
};

} // namespace mlir::mindir

#endif // MINDIR_LIB_CODEGEN_CPU_VECTOREMITTER_H
