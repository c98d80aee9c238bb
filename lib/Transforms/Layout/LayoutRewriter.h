//===- LayoutRewriter.h - writing the chosen layouts ----------------------===//
//
// Rewrites functions by the solution of their layout problem.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_TRANSFORMS_LAYOUT_LAYOUTREWRITER_H
#define MINDIR_LIB_TRANSFORMS_LAYOUT_LAYOUTREWRITER_H

#include "LayoutProblem.h"

namespace mlir::mindir {

/// Puts ops and carried values in the order that `problem`, solved, says. Transposes
/// stand behind what they move, at most one for each value.
class LayoutRewriter {
public:
  LayoutRewriter(const LayoutProblem &problem, ArrayRef<int64_t> permutation,
                 MLIRContext *context);

  void rewrite(func::FuncOp function);

private:
  void visit(Operation *op);
  void transposeOp(LayoutOpInterface op);
  /// Gives a value that is carried, passed or returned the transposed type.
  void transposeCarried(Value carried);
  /// From here on `natural`, made of `transposed`, stands for `old`.
  void replace(Value old, Value transposed);
  Value getTransposed(Value natural);
  Value buildTranspose(Value value, ArrayRef<int64_t> order, Type type);
  RankedTensorType transposeType(Type type) const;
  /// Erases transposes that nobody uses, and remarks on the others.
  void finish();

  const LayoutProblem &problem;
  ArrayRef<int64_t> permutation;
  SmallVector<int64_t> inverse;
  OpBuilder builder;
  /// The transposed form of natural values that have one.
  DenseMap<Value, Value> transposedOf;
  SmallVector<Operation *> built;
};

} // namespace mlir::mindir

#endif // MINDIR_LIB_TRANSFORMS_LAYOUT_LAYOUTREWRITER_H
