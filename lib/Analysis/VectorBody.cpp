//===- VectorBody.cpp - which loop bodies run on vectors ------------------===//
//
// What Fusion and code generation must agree on: the bodies that can be computed on
// vectors of elements, and the outputs that accumulate.
//
//===----------------------------------------------------------------------===//

#include "mindir/Analysis/VectorBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::mindir;

/// Functions that processors compute on vectors of f32 and f64.
static bool isVectorInstruction(Operation *op) {
  return isa<math::AbsFOp, math::SqrtOp, math::RsqrtOp, math::FloorOp,
             math::CeilOp, math::TruncOp, math::RoundEvenOp, math::CopySignOp,
             math::FmaOp>(op);
}

/// Functions with a polynomial for f32; see `mindir-approximate-math`.
static bool hasPolynomial(Operation *op) {
  return isa<math::ExpOp, math::LogOp, math::TanhOp, math::ErfOp>(op) &&
         op->getResult(0).getType().isF32();
}

static bool runsOnVectors(Operation *op) {
  if (isa<math::MathDialect>(op->getDialect())) {
    Type type = op->getResult(0).getType();
    return hasPolynomial(op) ||
           (isVectorInstruction(op) && (type.isF32() || type.isF64()));
  }
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
          arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp,
          arith::RemFOp, arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return false;
  return isa<arith::ArithDialect>(op->getDialect()) && !op->getNumRegions();
}

/// Bytes of an element in a register; 0 for a type that no vector has.
static int64_t getBytes(Type type) {
  if (type.isInteger(1)) // a mask
    return 1;
  if (type.isF16() || type.isBF16() || type.isF32() || type.isF64() ||
      type.isInteger(8) || type.isInteger(16) || type.isInteger(32) ||
      type.isInteger(64))
    return type.getIntOrFloatBitWidth() / 8;
  return 0;
}

int64_t mlir::mindir::getVectorLanes(linalg::GenericOp op) {
  int64_t widest = 1;
  auto admit = [&](Type type) {
    int64_t bytes = getBytes(type);
    widest = std::max(widest, bytes);
    return bytes != 0;
  };
  for (Value operand : op->getOperands()) {
    Type element = getElementTypeOrSelf(operand.getType());
    if (element.isInteger(1) || !admit(element))
      return 0;
  }
  for (Operation &inner : op.getBody()->without_terminator())
    if (!runsOnVectors(&inner) || !llvm::all_of(inner.getResultTypes(), admit))
      return 0;
  return kVectorBytes / widest;
}

Operation *mlir::mindir::getCombiner(linalg::GenericOp op, unsigned output) {
  Value yielded = op.getBody()->getTerminator()->getOperand(output);
  BlockArgument old =
      op.getBody()->getArgument(op.getNumDpsInputs() + output);
  Operation *combiner = yielded.getDefiningOp();
  if (!combiner || combiner->getBlock() != op.getBody() || !old.hasOneUse() ||
      !yielded.hasOneUse() || combiner->getNumOperands() != 2 ||
      !llvm::is_contained(combiner->getOperands(), old))
    return nullptr;
  if (!linalg::getCombinerOpKind(combiner) || !arith::getNeutralElement(combiner))
    return nullptr;
  return combiner;
}

bool mlir::mindir::coversDomain(AffineMap map) {
  llvm::SmallBitVector seen(map.getNumDims());
  for (AffineExpr result : map.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(result))
      seen.set(dim.getPosition());
  return seen.all();
}

bool mlir::mindir::haveCommonLoops(ArrayRef<AffineMap> outputMaps,
                                   unsigned inner) {
  for (unsigned dim = 0; dim < outputMaps.front().getNumDims(); ++dim) {
    auto depends = [&](AffineMap map) { return map.isFunctionOfDim(dim); };
    if (dim == inner || llvm::all_of(outputMaps, depends))
      continue;
    for (AffineMap map : outputMaps)
      if (!coversDomain(map) && depends(map))
        return false;
  }
  return true;
}
