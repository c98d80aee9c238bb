//===- ForwardMode.h - functions of values and tangents -------------------===//
//
// Derives the function that computes results and tangents together, each choice of
// arguments once.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_TRANSFORMS_AUTODIFF_FORWARDMODE_H
#define MINDIR_LIB_TRANSFORMS_AUTODIFF_FORWARDMODE_H

#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <map>

namespace mlir::mindir {

/// `function`: arguments, tangents of wrt -> results, tangents of `tangents`.
struct TangentFunction {
  func::FuncOp function;
  /// Indices of the results whose tangents are given; those of the others are zero.
  SmallVector<unsigned> tangents;
};

/// Forward mode over the functions of one module.
class ForwardMode {
public:
  explicit ForwardMode(SymbolTable &symbols) : symbols(symbols) {}

  /// Derives, or finds, the tangent function for the tangents of the arguments
  /// `wrt`. Functions that @function reaches must be free of transformations.
  FailureOr<TangentFunction> derive(func::FuncOp function,
                                    ArrayRef<unsigned> wrt);

private:
  /// Makes the clone of a function its tangent function.
  LogicalResult build(TangentFunction &derived, ArrayRef<unsigned> wrt,
                      function_ref<void()> declare);

  SymbolTable &symbols;
  std::map<std::pair<Operation *, SmallVector<unsigned>>, TangentFunction> known;
};

/// The body of one function under forward mode: tangent ops are inserted after the
/// primal ones. A tangent has exactly its primal's type; a missing one is zero.
/// A tape always has a tangent tape, so that their entries correspond.
class TangentBody {
public:
  TangentBody(ForwardMode &mode, SymbolTable &symbols,
              llvm::DenseSet<Value> varied)
      : mode(mode), symbols(symbols), varied(std::move(varied)) {}
  ~TangentBody();

  void setTangent(Value value, Value tangent);
  Value tangent(Value value) const { return tangents.lookup(value); }
  /// The same, a zero being made at the builder.
  Value tangentOrZero(OpBuilder &builder, Value value);
  bool isVaried(Value value) const { return varied.contains(value); }

  /// Inserts the tangent ops of a block, its terminator apart.
  LogicalResult visit(Block &block);

private:
  LogicalResult visit(Operation *op);
  LogicalResult visitByRule(Operation *op);
  LogicalResult visitCall(func::CallOp op);
  LogicalResult visitIf(scf::IfOp op);
  LogicalResult visitFor(scf::ForOp op);
  LogicalResult visitWhile(scf::WhileOp op);
  /// The values of `all` that are varied, and their tangents or zeros.
  SmallVector<unsigned> selectVaried(ValueRange all) const;
  SmallVector<Value> getTangents(OpBuilder &builder, ValueRange all,
                                 ArrayRef<unsigned> selected);
  /// Gives a block an argument per selected one of its arguments: their tangents.
  void addTangentArguments(Block *block, ArrayRef<BlockArgument> arguments,
                           ArrayRef<unsigned> selected);
  void appendTangents(Operation *terminator, ValueRange values,
                      ArrayRef<unsigned> selected);
  /// Puts a new op, which gives tangents of `selected` results past the old
  /// results, in the place of the old one.
  void replace(Operation *op, Operation *by, ArrayRef<unsigned> selected);

  ForwardMode &mode;
  SymbolTable &symbols;
  llvm::DenseSet<Value> varied;
  llvm::DenseMap<Value, Value> tangents;
  SmallVector<Operation *> garbage; // replaced ops: maps are keyed by their values
};

} // namespace mlir::mindir

#endif // MINDIR_LIB_TRANSFORMS_AUTODIFF_FORWARDMODE_H
