//===- LoweringUtils.cpp - loops on tensors -------------------------------===//
//
// Builders of linalg loops, sizes, and run-time error checks.
//
//===----------------------------------------------------------------------===//

#include "LoweringUtils.h"

#include "mindir/Conversion/RuntimeCalls.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::mindir;

LinalgTypeConverter::LinalgTypeConverter() {
  addConversion([](Type type) { return getSignlessType(type); });
  addConversion([](RankedTensorType type) -> Type {
    return type.clone(getSignlessType(type.getElementType()));
  });
  addConversion([](TokenType type) -> Type {
    return IntegerType::get(type.getContext(), 1);
  });
  addConversion([](TapeType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext());
  });
  auto materialize = [](OpBuilder &builder, Type type, ValueRange inputs,
                        Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, type, inputs)
        .getResult(0);
  };
  addSourceMaterialization(materialize);
  addTargetMaterialization(materialize);
}

Value mlir::mindir::indexConstant(OpBuilder &builder, Location loc,
                                  int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value mlir::mindir::getSize(OpBuilder &builder, Location loc, Value tensor,
                            int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return indexConstant(builder, loc, type.getDimSize(dim));
  return tensor::DimOp::create(builder, loc, tensor, dim);
}

SmallVector<Value> mlir::mindir::getSizes(OpBuilder &builder, Location loc,
                                          Value tensor) {
  SmallVector<Value> sizes;
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim)
    sizes.push_back(getSize(builder, loc, tensor, dim));
  return sizes;
}

SmallVector<Value> mlir::mindir::getSizes(OpBuilder &builder, Location loc,
                                          RankedTensorType type,
                                          ValueRange dynamicSizes) {
  return getValueOrCreateConstantIndexOp(
      builder, loc, mlir::mindir::getMixedSizes(builder, type, dynamicSizes));
}

SmallVector<OpFoldResult>
mlir::mindir::getMixedSizes(OpBuilder &builder, RankedTensorType type,
                            ValueRange dynamicSizes) {
  SmallVector<OpFoldResult> sizes;
  unsigned next = 0;
  for (int64_t size : type.getShape()) {
    if (ShapedType::isDynamic(size))
      sizes.push_back(dynamicSizes[next++]);
    else
      sizes.push_back(builder.getIndexAttr(size));
  }
  return sizes;
}

Value mlir::mindir::createEmpty(OpBuilder &builder, Location loc,
                                RankedTensorType type, ValueRange dynamicSizes) {
  return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                 type.getElementType(), dynamicSizes);
}

Value mlir::mindir::createEmptyLike(OpBuilder &builder, Location loc,
                                    RankedTensorType type, Value like) {
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(getSize(builder, loc, like, dim));
  return createEmpty(builder, loc, type, sizes);
}

Value mlir::mindir::createFilled(OpBuilder &builder, Location loc,
                                 RankedTensorType type, ValueRange dynamicSizes,
                                 Value scalar) {
  Value empty = createEmpty(builder, loc, type, dynamicSizes);
  return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
}

SmallVector<Value> mlir::mindir::createLoops(
    OpBuilder &builder, Location loc, ValueRange inputs, ValueRange inits,
    ArrayRef<AffineMap> maps, ArrayRef<utils::IteratorType> iterators,
    MultiBodyBuilder body) {
  auto generic = linalg::GenericOp::create(
      builder, loc, inits.getTypes(), inputs, inits, maps, iterators,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        linalg::YieldOp::create(b, loc, body(b, loc, args));
      });
  return llvm::to_vector_of<Value>(generic.getResults());
}

Value mlir::mindir::createLoop(OpBuilder &builder, Location loc,
                               ValueRange inputs, Value init,
                               ArrayRef<AffineMap> maps,
                               ArrayRef<utils::IteratorType> iterators,
                               BodyBuilder body) {
  return createLoops(builder, loc, inputs, init, maps, iterators,
                     [&](OpBuilder &b, Location loc, ValueRange args) {
                       return SmallVector<Value>{body(b, loc, args)};
                     })
      .front();
}

Value mlir::mindir::createParallelLoop(OpBuilder &builder, Location loc,
                                       ValueRange inputs, Value init,
                                       BodyBuilder body) {
  int64_t rank = cast<RankedTensorType>(init.getType()).getRank();
  SmallVector<AffineMap> maps(inputs.size() + 1,
                              builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  return createLoop(builder, loc, inputs, init, maps, iterators, body);
}

Value mlir::mindir::roundToStorage(OpBuilder &builder, Location loc,
                                   Value tensor, Type element,
                                   RankedTensorType resultType) {
  if (elementTypeOf(tensor) == resultType.getElementType())
    return castTensor(builder, loc, tensor, resultType);
  Value init = createEmptyLike(builder, loc, resultType, tensor);
  return createParallelLoop(builder, loc, tensor, init,
                            [&](OpBuilder &b, Location loc, ValueRange args) {
                              return ScalarBuilder(b, loc, element).store(args[0]);
                            });
}

Value mlir::mindir::castTensor(OpBuilder &builder, Location loc, Value tensor,
                               RankedTensorType type) {
  if (tensor.getType() == type)
    return tensor;
  return tensor::CastOp::create(builder, loc, type, tensor);
}

Value mlir::mindir::createLibraryCall(
    OpBuilder &builder, Location loc, StringRef name, ValueRange inputs,
    Value init, ArrayRef<int64_t> config,
    ArrayRef<SmallVector<int64_t>> permutations) {
  auto call = LibraryCallOp::create(
      builder, loc, TypeRange(init.getType()), name, inputs, ValueRange(init),
      config, /*reads_init=*/DenseBoolArrayAttr(), /*elementwise=*/false);
  if (!permutations.empty()) {
    SmallVector<Attribute> attributes;
    for (const SmallVector<int64_t> &permutation : permutations)
      attributes.push_back(builder.getDenseI64ArrayAttr(permutation));
    call->setAttr(kPermutationsName, builder.getArrayAttr(attributes));
  }
  return call.getResult(0);
}

//===----------------------------------------------------------------------===//
// Run-time errors
//===----------------------------------------------------------------------===//

void mlir::mindir::emitErrorIf(OpBuilder &builder, Location loc, Value isBad,
                               int64_t code, StringRef message) {
  auto check = scf::IfOp::create(builder, loc, isBad, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(check.thenBlock());
  Value text = createRuntimeString(builder, loc, message);
  Value codeValue =
      arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(code));
  callRuntime(builder, loc, "mindrt_fail", TypeRange{}, {codeValue, text});
}

void SizeChecks::expectNot(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
  Value holds = b.createOrFold<arith::CmpIOp>(loc, predicate, lhs, rhs);
  if (matchPattern(holds, m_Zero()))
    return;
  isBad = isBad ? b.createOrFold<arith::OrIOp>(loc, isBad, holds) : holds;
}

void SizeChecks::expectEqual(Value lhs, Value rhs) {
  expectNot(arith::CmpIPredicate::ne, lhs, rhs);
}

void SizeChecks::expectAtMost(Value lhs, Value rhs) {
  expectNot(arith::CmpIPredicate::sgt, lhs, rhs);
}

void SizeChecks::expectEqual(Value lhs, int64_t lhsDim, Value rhs,
                             int64_t rhsDim) {
  auto isKnown = [](Value tensor, int64_t dim) {
    return !cast<RankedTensorType>(tensor.getType()).isDynamicDim(dim);
  };
  bool isSame = lhs == rhs && lhsDim == rhsDim;
  // The verifier has compared those.
  if (isSame || (isKnown(lhs, lhsDim) && isKnown(rhs, rhsDim)))
    return;
  expectEqual(getSize(b, loc, lhs, lhsDim), getSize(b, loc, rhs, rhsDim));
}

void SizeChecks::emit(Operation *op, StringRef message) {
  if (isBad)
    emitErrorIf(b, loc, isBad, /*MINDRT_VALUE_ERROR=*/2,
                ("For '" + getTitle(op) + "', " + message).str());
}

std::string mlir::mindir::getTitle(Operation *op) {
  return llvm::convertToCamelFromSnakeCase(op->getName().stripDialect(),
                                           /*capitalizeFirst=*/true);
}
