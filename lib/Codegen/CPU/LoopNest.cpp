//===- LoopNest.cpp - the loops of a linalg op on buffers -----------------===//
//
// An op's operands, maps and sizes, with loops that are walked through together
// made one.
//
//===----------------------------------------------------------------------===//

#include "LoopNest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::mindir;

LoopNest::LoopNest(OpBuilder &b, linalg::GenericOp op)
    : op(op), loc(op.getLoc()), operands(op->getOperands()),
      maps(op.getIndexingMapsArray()), iterators(op.getIteratorTypesArray()) {
  for (unsigned dim = 0; dim < iterators.size(); ++dim)
    sizes.push_back(getLoopSize(b, dim));
}

Value LoopNest::getLoopSize(OpBuilder &b, unsigned dim) const {
  AffineExpr loop = getAffineDimExpr(dim, b.getContext());
  Value least;
  for (auto [operand, map] : llvm::zip(operands, maps))
    for (auto [position, expr] : llvm::enumerate(map.getResults())) {
      if (expr != loop)
        continue;
      Value size = getValueOrCreateConstantIndexOp(
          b, loc, memref::getMixedSize(b, loc, operand, position));
      bool isSame = least && getConstantIntValue(size) &&
                    getConstantIntValue(size) == getConstantIntValue(least);
      if (!isSame)
        least = least ? b.createOrFold<arith::MinSIOp>(loc, least, size) : size;
    }
  assert(least && "every loop is a dimension of an operand");
  return least;
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

std::optional<int64_t> LoopNest::getStaticSize(unsigned dim) const {
  return getConstantIntValue(sizes[dim]);
}

std::optional<int64_t>
LoopNest::getStaticProduct(ArrayRef<unsigned> dims) const {
  int64_t product = 1;
  for (unsigned dim : dims) {
    std::optional<int64_t> size = getStaticSize(dim);
    if (!size)
      return std::nullopt;
    product *= *size;
  }
  return product;
}

Value LoopNest::getProduct(OpBuilder &b, ArrayRef<unsigned> dims) const {
  if (std::optional<int64_t> product = getStaticProduct(dims))
    return arith::ConstantIndexOp::create(b, loc, *product);
  Value product = sizes[dims.front()];
  for (unsigned dim : dims.drop_front())
    product = arith::MulIOp::create(b, loc, product, sizes[dim]);
  return product;
}

int64_t LoopNest::getBodyCost() const {
  int64_t cost = 1;
  for (Operation &inner : *linalg::GenericOp(op).getBody()) {
    bool isFunction = isa<math::MathDialect>(inner.getDialect());
    cost += isFunction || inner.getNumRegions() ? 16 : 1;
  }
  return cost;
}

bool LoopNest::isContiguousAlong(unsigned operand, unsigned dim) const {
  auto type = dyn_cast<MemRefType>(operands[operand].getType());
  AffineMap map = maps[operand];
  if (!type || map.getNumResults() == 0)
    return false;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) || strides.back() != 1)
    return false;
  for (AffineExpr result : map.getResults().drop_back())
    if (result.isFunctionOfDim(dim))
      return false;
  AffineExpr last = map.getResults().back();
  AffineExpr wanted = getAffineDimExpr(dim, map.getContext());
  if (auto sum = dyn_cast<AffineBinaryOpExpr>(last))
    if (sum.getKind() == AffineExprKind::Add)
      return (sum.getLHS() == wanted && !sum.getRHS().isFunctionOfDim(dim)) ||
             (sum.getRHS() == wanted && !sum.getLHS().isFunctionOfDim(dim));
  return last == wanted;
}

//===----------------------------------------------------------------------===//
// Collapsing
//===----------------------------------------------------------------------===//

static bool isIdentityBuffer(Value operand) {
  auto type = dyn_cast<MemRefType>(operand.getType());
  return type && type.getLayout().isIdentity();
}

void LoopNest::collapse(OpBuilder &b) {
  if (op.hasIndexSemantics())
    return;
  dropUnitLoops(b);
  for (unsigned index = 0; index < operands.size(); ++index)
    dropUnitDims(b, index);
  for (unsigned dim = 0; dim + 1 < getNumLoops();) {
    bool joins = iterators[dim] == iterators[dim + 1] &&
                 llvm::all_of(llvm::seq<unsigned>(0, operands.size()),
                              [&](unsigned i) { return canJoin(i, dim); });
    if (joins)
      join(b, dim);
    else
      ++dim;
  }
}

void LoopNest::dropUnitLoops(OpBuilder &b) {
  SmallVector<AffineExpr> replacements;
  SmallVector<utils::IteratorType> keptIterators;
  SmallVector<Value> keptSizes;
  for (unsigned dim = 0; dim < getNumLoops(); ++dim) {
    if (getStaticSize(dim) == 1) {
      replacements.push_back(b.getAffineConstantExpr(0));
      continue;
    }
    replacements.push_back(b.getAffineDimExpr(keptSizes.size()));
    keptIterators.push_back(iterators[dim]);
    keptSizes.push_back(sizes[dim]);
  }
  for (AffineMap &map : maps)
    map = map.replaceDimsAndSymbols(replacements, {}, keptSizes.size(), 0);
  iterators = keptIterators;
  sizes = keptSizes;
}

void LoopNest::dropUnitDims(OpBuilder &b, unsigned operand) {
  AffineMap map = maps[operand];
  AffineExpr zero = b.getAffineConstantExpr(0);
  auto type = dyn_cast<MemRefType>(operands[operand].getType());
  if (!isIdentityBuffer(operands[operand]) ||
      !llvm::is_contained(map.getResults(), zero))
    return;
  // Leading units join the first other dimension, the others the one before.
  SmallVector<ReassociationIndices> groups;
  SmallVector<AffineExpr> results;
  for (auto [position, result] : llvm::enumerate(map.getResults())) {
    bool isUnit = result == zero && type.getDimSize(position) == 1;
    bool isNewGroup = groups.empty() || (!isUnit && !results.empty());
    if (isNewGroup)
      groups.emplace_back();
    groups.back().push_back(position);
    if (!isUnit)
      results.push_back(result);
  }
  if (results.size() == map.getNumResults())
    return;
  if (results.empty())
    groups.clear();
  operands[operand] =
      memref::CollapseShapeOp::create(b, loc, operands[operand], groups);
  maps[operand] = AffineMap::get(map.getNumDims(), 0, results, b.getContext());
}

bool LoopNest::canJoin(unsigned operand, unsigned dim) const {
  AffineMap map = maps[operand];
  bool usesFirst = map.isFunctionOfDim(dim);
  bool usesSecond = map.isFunctionOfDim(dim + 1);
  if (!usesFirst && !usesSecond)
    return true;
  if (usesFirst != usesSecond || !isIdentityBuffer(operands[operand]))
    return false;
  AffineExpr first = getAffineDimExpr(dim, map.getContext());
  AffineExpr second = getAffineDimExpr(dim + 1, map.getContext());
  ArrayRef<AffineExpr> results = map.getResults();
  const AffineExpr *found = llvm::find(results, first);
  if (found == results.end() || found + 1 == results.end() ||
      *(found + 1) != second)
    return false;
  // Nowhere else.
  for (const AffineExpr &result : results)
    if (&result != found && &result != found + 1 &&
        (result.isFunctionOfDim(dim) || result.isFunctionOfDim(dim + 1)))
      return false;
  return true;
}

void LoopNest::join(OpBuilder &b, unsigned dim) {
  unsigned numLoops = getNumLoops();
  SmallVector<AffineExpr> replacements;
  for (unsigned old = 0; old < numLoops; ++old)
    replacements.push_back(b.getAffineDimExpr(old <= dim ? old : old - 1));
  AffineExpr second = b.getAffineDimExpr(dim + 1);
  for (auto [operand, map] : llvm::zip(operands, maps)) {
    SmallVector<AffineExpr> results;
    SmallVector<ReassociationIndices> groups;
    for (auto [position, result] : llvm::enumerate(map.getResults())) {
      if (result == second) {
        groups.back().push_back(position);
        continue;
      }
      groups.push_back({static_cast<int64_t>(position)});
      results.push_back(result.replaceDims(replacements));
    }
    if (results.size() != map.getNumResults())
      operand = memref::CollapseShapeOp::create(b, loc, operand, groups);
    map = AffineMap::get(numLoops - 1, 0, results, b.getContext());
  }
  sizes[dim] = getProduct(b, {dim, dim + 1});
  sizes.erase(sizes.begin() + dim + 1);
  iterators.erase(iterators.begin() + dim + 1);
}
