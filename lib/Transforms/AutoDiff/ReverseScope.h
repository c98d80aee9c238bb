//===- ReverseScope.h - one block of forward code and its reverse ---------===//
//
// The state of reverse mode within one block: cotangents, and the residuals by
// which primal values cross from the forward to the backward function.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_TRANSFORMS_AUTODIFF_REVERSESCOPE_H
#define MINDIR_LIB_TRANSFORMS_AUTODIFF_REVERSESCOPE_H

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Transforms/AutoDiff/AutoDiff.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::mindir {

/// What the scopes of one function share.
struct ReverseFunction {
  /// Forward values on which a cotangent is of interest.
  llvm::DenseSet<Value> varied;
  /// Forward ops that were replaced, and placeholders. They are erased only at the
  /// end: maps are keyed by their values.
  SmallVector<Operation *> garbage;
  /// Backward regions whose op is not built yet.
  SmallVector<std::unique_ptr<Region>> regions;

  Region *createRegion() {
    regions.push_back(std::make_unique<Region>());
    return regions.back().get();
  }
  void eraseGarbage();
  /// After a failure: lets go of what the functions under construction own.
  void abandon();
};

/// A forward block, and the backward block in which its reverse is being built.
/// Keys are values of the forward function; what is handed out is visible at
/// `builder`. An invariant: a cotangent has exactly its primal's type.
class ReverseScope {
public:
  ReverseScope(ReverseFunction &function, ReverseScope *parent, Block *forward,
               Block *backward);
  virtual ~ReverseScope() = default;

  /// The primal value of `value`, recomputed if that is cheap, else a residual.
  Value primal(Value value);
  /// Size of a dimension of a primal tensor, as an index value.
  Value primalDim(Value value, int64_t dim);
  /// A zero of the type and sizes of a primal value.
  Value zero(Value value);

  bool isActive(Value value) const { return function.varied.contains(value); }
  /// The cotangent gathered so far, or null. A branch sees those of its parent.
  Value cotangent(Value value);
  /// The same, a zero being made.
  Value cotangentOrZero(Value value);
  /// Adds to the cotangent of an active value; does nothing for another one.
  LogicalResult accumulate(Value value, Value cotangent);
  void setCotangent(Value value, Value cotangent) {
    cotangents[value] = cotangent;
  }
  /// Makes the primal of a forward value known.
  void setPrimal(Value value, Value primal) { primals[value] = primal; }
  /// Puts `values` in the place of a forward op's results; the op becomes garbage.
  void replaceForward(Operation *op, ValueRange values);

  /// Whether residuals go on a tape that is threaded through the block.
  virtual bool isTaped() const { return false; }

  /// Forward blocks nested in which other blocks inherit cotangents (branches).
  bool inheritsCotangents = false;

  ReverseFunction &function;
  ReverseScope *parent;
  Block *forward;
  Block *backward;
  OpBuilder builder;

protected:
  /// Makes a tensor or tape, defined in this block, a residual.
  virtual Value save(Value value) = 0;

private:
  Value recompute(Value value);
  Value saveScalar(Value value);
  ReverseScope &getOwner(Value value);

  llvm::DenseMap<Value, Value> cotangents, primals, packedScalars;
};

/// The body of a function: residuals are extra results of the forward function and
/// leading arguments of the backward one.
class FunctionScope : public ReverseScope {
public:
  FunctionScope(ReverseFunction &function, func::FuncOp forward,
                Block *backward);

  SmallVector<ResidualSource> sources;

protected:
  Value save(Value value) override;

private:
  ResidualSource findSource(Value value);

  /// Results that the primal function has.
  unsigned numResults;
  /// Results that overwrite an argument's buffer, and those arguments: the caller
  /// finds no residual there.
  llvm::SmallDenseSet<unsigned> updates, overwritten;
};

/// A block whose residuals go on a tape: the body of a loop, a branch, or a
/// recursive function.
class TapedScope : public ReverseScope {
public:
  /// `backwardStart` is the tape on which the forward block left.
  TapedScope(ReverseFunction &function, ReverseScope *parent, Block *forward,
             Block *backward, Value backwardStart);

  bool isTaped() const override { return true; }
  /// Whether anything is pushed at all.
  bool usesTape() const { return !uses.empty() || firstPush; }
  /// Links the forward block's tape, which starts as `start`; returns its end.
  Value finishForward(Value start);
  /// Links the backward block's tape; returns its end.
  Value finishBackward();

  /// Records that a forward op takes `placeholder` and gives `next` as its tape;
  /// ops are recorded last to first.
  void recordUse(Value placeholder, Value next) {
    uses.push_back({placeholder, next});
  }

  /// The backward block's tape at the builder.
  Value tape;

protected:
  Value save(Value value) override;

private:
  Value backwardStart;
  Operation *afterPops;  // placeholder for the tape once residuals are popped
  Operation *pushStart;  // placeholder for the tape before residuals are pushed
  TapePushOp firstPush, lastPush;
  TapePopOp lastPop, firstPop;
  SmallVector<std::pair<Value, Value>> uses;
};

/// Creates a tape that stands for one not yet known, and is erased at the end.
Value createTapePlaceholder(ReverseFunction &function, OpBuilder &builder,
                            Location loc);

} // namespace mlir::mindir

#endif // MINDIR_LIB_TRANSFORMS_AUTODIFF_REVERSESCOPE_H
