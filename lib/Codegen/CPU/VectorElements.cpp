//===- VectorElements.cpp - one iteration of a vectorized op --------------===//
//
// Loads, the body on vectors or on elements, and stores.
//
//===----------------------------------------------------------------------===//

#include "VectorEmitter.h"

#include "FastMath.h"

#include "mindir/Analysis/VectorBody.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::mindir;

Value VectorEmitter::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value VectorEmitter::createStack(ArrayRef<int64_t> shape, Type element) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfter(stackAnchor);
  auto type = MemRefType::get(shape, element);
  return memref::AllocaOp::create(b, loc, type,
                                  b.getI64IntegerAttr(kVectorBytes));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

SmallVector<Value> VectorEmitter::getPosition(unsigned operand) {
  SmallVector<Value> result;
  for (AffineExpr expr : nest.maps[operand].getResults())
    result.push_back(affine::expandAffineExpr(b, loc, expr, position, {}));
  return result;
}

/// Where the current position of the innermost loop lies in its strip.
Value VectorEmitter::getStripPosition() {
  return arith::SubIOp::create(b, loc, position[inner], stripLo);
}

Value VectorEmitter::loadVector(Value buffer, ValueRange indices) {
  return loadFrom(buffer, indices, /*onVectors=*/true);
}

Value VectorEmitter::loadFrom(Value buffer, ValueRange indices,
                              bool onVectors) {
  if (!onVectors)
    return memref::LoadOp::create(b, loc, buffer, indices);
  auto type = VectorType::get({lanes}, getElementTypeOrSelf(buffer.getType()));
  return vector::LoadOp::create(b, loc, type, buffer, indices);
}

void VectorEmitter::storeTo(Value value, Value buffer, ValueRange indices) {
  if (isa<VectorType>(value.getType()))
    vector::StoreOp::create(b, loc, value, buffer, indices);
  else
    memref::StoreOp::create(b, loc, value, buffer, indices);
}

Value VectorEmitter::load(unsigned operand, bool onVectors) {
  Value source = nest.operands[operand];
  if (!isa<MemRefType>(source.getType()))
    return source;
  bool varies = nest.maps[operand].isFunctionOfDim(inner);
  return loadFrom(source, getPosition(operand), onVectors && varies);
}

void VectorEmitter::store(unsigned operand, Value value) {
  storeTo(value, nest.operands[operand], getPosition(operand));
}

/// Loads what the innermost loop reads in each iteration alike.
void VectorEmitter::hoistInvariants() {
  unsigned numInputs = nest.op.getNumDpsInputs();
  invariants.assign(numInputs, Value());
  for (unsigned i = 0; i < numInputs; ++i)
    if (!nest.maps[i].isFunctionOfDim(inner))
      invariants[i] = load(i, /*onVectors=*/false);
}

//===----------------------------------------------------------------------===//
// Body
//===----------------------------------------------------------------------===//

SmallVector<Value> VectorEmitter::emitBody(bool onVectors, ValueRange sums) {
  Block *body = nest.op.getBody();
  unsigned numInputs = nest.op.getNumDpsInputs();
  SmallVector<Value> arguments(body->getNumArguments());
  for (unsigned i = 0; i < numInputs; ++i)
    if (!body->getArgument(i).use_empty())
      arguments[i] = invariants[i] ? invariants[i] : load(i, onVectors);
  unsigned nextSum = 0;
  for (auto [i, output] : llvm::enumerate(outputs)) {
    Value &old = arguments[numInputs + i];
    if (output.combiner && !output.variesAlongInner)
      old = sums[nextSum++];
    else if (output.combiner)
      old = loadFrom(output.block[0], getStripPosition(), onVectors);
    else if (!body->getArgument(numInputs + i).use_empty())
      old = load(output.operand, onVectors);
  }
  SmallVector<Value> results;
  for (auto [output, value] :
       llvm::zip(outputs, cloneBody(onVectors, arguments))) {
    if (output.combiner && !output.variesAlongInner)
      results.push_back(value);
    else if (output.combiner)
      storeTo(value, output.block[0], getStripPosition());
    else
      store(output.operand, value);
  }
  return results;
}

/// The values that the body yields for these arguments.
SmallVector<Value> VectorEmitter::cloneBody(bool onVectors,
                                            ArrayRef<Value> arguments) {
  IRMapping mapping;
  Block *body = nest.op.getBody();
  // A value as the body's ops take it.
  auto adapt = [&](Value value) -> Value {
    if (!onVectors || isa<VectorType>(value.getType()))
      return value;
    auto type = VectorType::get({lanes}, value.getType());
    Attribute constant;
    if (matchPattern(value, m_Constant(&constant)))
      return arith::ConstantOp::create(
          b, loc, DenseElementsAttr::get(type, ArrayRef<Attribute>(constant)));
    return vector::BroadcastOp::create(b, loc, type, value);
  };
  for (auto [argument, value] : llvm::zip(body->getArguments(), arguments))
    if (value)
      mapping.map(argument, adapt(value));
  auto find = [&](Value value) {
    if (!mapping.contains(value))
      mapping.map(value, adapt(value)); // from outside of the body
    return mapping.lookup(value);
  };
  for (Operation &inner : body->without_terminator()) {
    if (onVectors && inner.hasTrait<OpTrait::ConstantLike>()) {
      mapping.map(inner.getResult(0), adapt(inner.getResult(0)));
      continue;
    }
    for (Value operand : inner.getOperands())
      find(operand);
    Operation *clone = b.clone(inner, mapping);
    setFastMath(clone, /*mayReorder=*/false);
    if (onVectors)
      for (OpResult result : clone->getResults())
        result.setType(VectorType::get({lanes}, result.getType()));
  }
  return llvm::map_to_vector(body->getTerminator()->getOperands(), find);
}
