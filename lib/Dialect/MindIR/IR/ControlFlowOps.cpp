//===- ControlFlowOps.cpp - derivative operators, tapes, effects ----------===//
//
// Verification of function transformations against their callee.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

#define GET_OP_CLASSES
#include "mindir/Dialect/MindIR/IR/ControlFlowOps.cpp.inc"

using namespace mlir;
using namespace mlir::mindir;

/// Whether a value of this type has a derivative.
static bool isDifferentiable(Type type) {
  return isa<FloatType>(getElementTypeOrSelf(type));
}

static LogicalResult verifyTypes(Operation *op, StringRef what, TypeRange want,
                                 TypeRange have) {
  if (want == have)
    return success();
  return op->emitOpError("expected ") << what << " of types (" << want
                                      << "), but got (" << have << ")";
}

/// Finds the callee and checks that `wrt` names arguments of it; float ones, if
/// they are to be differentiated.
template <typename Op>
static FailureOr<FunctionType> resolveCallee(Op op, SymbolTableCollection &symbols,
                                             bool differentiates) {
  auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  if (!callee)
    return op.emitOpError("'") << op.getCallee() << "' is not a function";
  FunctionType type = callee.getFunctionType();
  for (int64_t index : op.getWrt()) {
    if (index < 0 || index >= static_cast<int64_t>(type.getNumInputs()))
      return op.emitOpError("wrt names argument ")
             << index << ", but '" << op.getCallee() << "' has "
             << type.getNumInputs();
    if (differentiates && !isDifferentiable(type.getInput(index)))
      return op.emitOpError("argument ")
             << index << " of type " << type.getInput(index)
             << " has no derivative; only float tensors have";
  }
  return type;
}

LogicalResult VJPOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = resolveCallee(*this, symbols, /*differentiates=*/true); // vjp_c2
  if (failed(callee))
    return failure();
  SmallVector<Type> inputs(callee->getInputs());
  llvm::copy_if(callee->getResults(), std::back_inserter(inputs),
                isDifferentiable);
  SmallVector<Type> results(callee->getResults());
  for (int64_t index : getWrt())
    results.push_back(callee->getInput(index));
  if (failed(verifyTypes(*this, "operands", inputs, getOperandTypes())))
    return failure(); // vjp_c1
  return verifyTypes(*this, "results", results, getResultTypes());
}

LogicalResult JVPOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = resolveCallee(*this, symbols, /*differentiates=*/true); // jvp_c2
  if (failed(callee))
    return failure();
  SmallVector<Type> inputs(callee->getInputs());
  for (int64_t index : getWrt())
    inputs.push_back(callee->getInput(index));
  SmallVector<Type> results(callee->getResults());
  llvm::copy_if(callee->getResults(), std::back_inserter(results),
                isDifferentiable);
  if (failed(verifyTypes(*this, "operands", inputs, getOperandTypes())))
    return failure(); // jvp_c1
  return verifyTypes(*this, "results", results, getResultTypes());
}

LogicalResult VMapOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = resolveCallee(*this, symbols, /*differentiates=*/false);
  if (failed(callee))
    return failure();
  int64_t lanes = ShapedType::kDynamic;
  auto hasLeadingDim = [&](Type batched, Type type) {
    auto outer = dyn_cast<RankedTensorType>(batched);
    auto inner = dyn_cast<RankedTensorType>(type);
    if (!outer || !inner || outer.getRank() != inner.getRank() + 1 ||
        outer.getElementType() != inner.getElementType() ||
        outer.getShape().drop_front() != inner.getShape() ||
        !areCompatibleSizes(lanes, outer.getDimSize(0)))
      return false;
    lanes = mergeSizes(lanes, outer.getDimSize(0));
    return true;
  };
  bool fits = getNumOperands() == callee->getNumInputs() &&
              getNumResults() == callee->getNumResults(); // vmap_c1
  for (unsigned i = 0; fits && i < getNumOperands(); ++i)
    fits = llvm::is_contained(getWrt(), i)
               ? hasLeadingDim(getOperand(i).getType(), callee->getInput(i))
               : getOperand(i).getType() == callee->getInput(i);
  for (unsigned i = 0; fits && i < getNumResults(); ++i)
    fits = hasLeadingDim(getResult(i).getType(), callee->getResult(i));
  return fits ? success()
              : emitOpError("operands and results do not fit the callee of type ")
                    << *callee;
}
