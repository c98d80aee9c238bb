//===- RuntimeCalls.cpp - building calls of the runtime -------------------===//
//
// Declarations, strings, stack slots and tensor descriptors of the C ABI.
//
//===----------------------------------------------------------------------===//

#include "mindir/Conversion/RuntimeCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

static Operation *getEnclosing(OpBuilder &builder) {
  return builder.getInsertionBlock()->getParentOp();
}

static ModuleOp getModule(OpBuilder &builder) {
  Operation *op = getEnclosing(builder);
  return isa<ModuleOp>(op) ? cast<ModuleOp>(op) : op->getParentOfType<ModuleOp>();
}

int32_t mlir::mindir::getRuntimeDType(Type element) {
  if (element.isF16())
    return 9;
  if (element.isBF16())
    return 10;
  if (element.isF32())
    return 11;
  if (element.isF64())
    return 12;
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer)
    return -1;
  int32_t first = integer.isUnsigned() ? 5 : 1;
  switch (integer.getWidth()) {
  case 1:
    return 0;
  case 8:
    return first;
  case 16:
    return first + 1;
  case 32:
    return first + 2;
  case 64:
    return first + 3;
  default:
    return -1;
  }
}

void mlir::mindir::declareRuntimeFunction(OpBuilder &builder, StringRef name,
                                          FunctionType type) {
  ModuleOp module = getModule(builder);
  if (module.lookupSymbol(name))
    return;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  func::FuncOp::create(builder, builder.getUnknownLoc(), name, type).setPrivate();
}

SmallVector<Value> mlir::mindir::callRuntime(OpBuilder &builder, Location loc,
                                             StringRef name, TypeRange results,
                                             ValueRange operands) {
  declareRuntimeFunction(builder, name,
                         builder.getFunctionType(operands.getTypes(), results));
  auto call = func::CallOp::create(builder, loc, name, results, operands);
  return llvm::to_vector_of<Value>(call.getResults());
}

Value mlir::mindir::createRuntimeString(OpBuilder &builder, Location loc,
                                        StringRef text) {
  ModuleOp module = getModule(builder);
  std::string name = ("mindir.text." + Twine(llvm::xxh3_64bits(text))).str();
  auto global = module.lookupSymbol<LLVM::GlobalOp>(name);
  if (!global) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    std::string bytes = (text + Twine('\0')).str();
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
    global = LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                                    LLVM::Linkage::Internal, name,
                                    builder.getStringAttr(bytes));
  }
  return LLVM::AddressOfOp::create(builder, loc, global);
}

Value mlir::mindir::createStackSlot(OpBuilder &builder, Location loc, Type type,
                                    int64_t count) {
  OpBuilder::InsertionGuard guard(builder);
  Operation *op = getEnclosing(builder);
  auto function = isa<FunctionOpInterface>(op)
                      ? cast<FunctionOpInterface>(op)
                      : op->getParentOfType<FunctionOpInterface>();
  builder.setInsertionPointToStart(&function.getFunctionBody().front());
  Value size = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                        builder.getI64IntegerAttr(count));
  return LLVM::AllocaOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), type, size);
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

/// Stores index values as an array of i64.
static Value storeIndices(OpBuilder &b, Location loc, ValueRange values,
                          ArrayRef<int64_t> permutation) {
  Value array = mlir::mindir::createStackSlot(b, loc, b.getI64Type(),
                                              std::max<size_t>(values.size(), 1));
  for (size_t i = 0; i < values.size(); ++i) {
    Value value = values[permutation.empty() ? i : permutation[i]];
    Value place = LLVM::GEPOp::create(b, loc, array.getType(), b.getI64Type(),
                                      array, ArrayRef<LLVM::GEPArg>{int32_t(i)});
    Value number = arith::IndexCastOp::create(b, loc, b.getI64Type(), value);
    LLVM::StoreOp::create(b, loc, number, place);
  }
  return array;
}

/// The address of the first element of a buffer.
static Value getDataPointer(OpBuilder &b, Location loc, Value buffer,
                            Value offset) {
  auto type = cast<MemRefType>(buffer.getType());
  unsigned width = type.getElementType().getIntOrFloatBitWidth();
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, buffer);
  Value bytes = arith::ConstantIndexOp::create(b, loc, (width + 7) / 8);
  Value shift = arith::MulIOp::create(b, loc, offset, bytes);
  Value address = arith::IndexCastOp::create(
      b, loc, b.getI64Type(), arith::AddIOp::create(b, loc, base, shift));
  return LLVM::IntToPtrOp::create(
      b, loc, LLVM::LLVMPointerType::get(b.getContext()), address);
}

Value mlir::mindir::createRuntimeMemRef(OpBuilder &b, Location loc, Value buffer,
                                        int32_t dtype,
                                         ArrayRef<int64_t> permutation) {
  auto memref = cast<MemRefType>(buffer.getType());
  auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, buffer);
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = LLVM::LLVMStructType::getLiteral(
      b.getContext(),
      {b.getI32Type(), b.getI32Type(), pointer, pointer, pointer});
  Value slot = createStackSlot(b, loc, type, 1);
  auto constant = [&](int32_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
  };
  Value fields[] = {
      constant(dtype), constant(static_cast<int32_t>(memref.getRank())),
      getDataPointer(b, loc, buffer, metadata.getOffset()),
      storeIndices(b, loc, metadata.getSizes(), permutation),
      storeIndices(b, loc, metadata.getStrides(), permutation)};
  for (auto [i, field] : llvm::enumerate(fields)) {
    Value place =
        LLVM::GEPOp::create(b, loc, pointer, type, slot,
                            ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(i)});
    LLVM::StoreOp::create(b, loc, field, place);
  }
  return slot;
}

Value mlir::mindir::createPointerArray(OpBuilder &b, Location loc,
                                       ValueRange pointers) {
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value array =
      createStackSlot(b, loc, pointer, std::max<size_t>(pointers.size(), 1));
  for (auto [i, value] : llvm::enumerate(pointers)) {
    Value place = LLVM::GEPOp::create(b, loc, pointer, pointer, array,
                                      ArrayRef<LLVM::GEPArg>{int32_t(i)});
    LLVM::StoreOp::create(b, loc, value, place);
  }
  return array;
}
