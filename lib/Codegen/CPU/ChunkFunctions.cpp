//===- ChunkFunctions.cpp - parallel loops as functions -------------------===//
//
// Outlines a range of independent iterations into a function that runs any part of it.
//
//===----------------------------------------------------------------------===//

#include "ChunkFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::mindir;

Chunk::Chunk(OpBuilder &builder, Location loc, Value n) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  // A step of at least one, so that an empty range is a valid loop.
  Value step = arith::MaxSIOp::create(builder, loc, n, one);
  loop = scf::ForOp::create(builder, loc, zero, n, step);
  lo = loop.getInductionVar();
  OpBuilder body = OpBuilder::atBlockBegin(loop.getBody());
  hi = arith::AddIOp::create(body, loc, lo, n);
}

/// The values that the chunk reads from around it, constants aside.
static SmallVector<Value> getCaptures(Chunk chunk,
                                      SmallVectorImpl<Operation *> &constants) {
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(chunk.loop.getRegion(), used);
  SmallVector<Value> captures;
  for (Value value : used) {
    Operation *op = value.getDefiningOp();
    if (op && matchPattern(value, m_Constant()))
      constants.push_back(op);
    else
      captures.push_back(value);
  }
  return captures;
}

static func::FuncOp createChunkFunction(OpBuilder &builder, Chunk chunk,
                                        ArrayRef<Value> captures) {
  auto parent = chunk.loop->getParentOfType<func::FuncOp>();
  Type index = builder.getIndexType();
  SmallVector<Type> types(ValueRange(captures).getTypes());
  types.append(3, index);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(parent);
  auto function = func::FuncOp::create(
      builder, chunk.loop.getLoc(), (parent.getName() + ".chunk").str(),
      builder.getFunctionType(types, {}));
  function.setPrivate();
  function->setAttr(kChunkName, builder.getUnitAttr());
  SymbolTable(parent->getParentOfType<ModuleOp>()).insert(function);
  function.addEntryBlock();
  return function;
}

void mlir::mindir::outlineChunk(OpBuilder &builder, Chunk chunk, Value n,
                                Value grain) {
  Location loc = chunk.loop.getLoc();
  SmallVector<Operation *> constants;
  SmallVector<Value> captures = getCaptures(chunk, constants);
  func::FuncOp function = createChunkFunction(builder, chunk, captures);
  Block &entry = function.getBody().front();
  OpBuilder body = OpBuilder::atBlockBegin(&entry);
  IRMapping mapping;
  mapping.map(captures, entry.getArguments().take_front(captures.size()));
  mapping.map(chunk.lo, entry.getArgument(captures.size()));
  mapping.map(chunk.hi, entry.getArgument(captures.size() + 1));
  for (Operation *constant : constants)
    body.clone(*constant, mapping);
  for (Operation &op : chunk.loop.getBody()->without_terminator())
    if (&op != chunk.hi.getDefiningOp())
      body.clone(op, mapping);
  func::ReturnOp::create(body, loc);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(chunk.loop);
  SmallVector<Value> operands = captures;
  operands.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
  operands.push_back(n);
  operands.push_back(grain);
  func::CallOp::create(builder, loc, function, operands);
  chunk.loop.erase();
}
