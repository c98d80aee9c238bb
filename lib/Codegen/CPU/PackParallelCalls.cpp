//===- PackParallelCalls.cpp - chunk functions on threads -----------------===//
//
// Replaces calls of chunk functions by calls of the runtime's parallel loop.
//
//===----------------------------------------------------------------------===//

#include "mindir/Codegen/CPU/Passes.h"

#include "ChunkFunctions.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_PACKPARALLELCALLS
#include "mindir/Codegen/CPU/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

/// The types a chunk function captures, and where its bounds stand.
struct ChunkSignature {
  explicit ChunkSignature(LLVM::LLVMFuncOp function)
      : captures(function.getArgumentTypes().drop_back(3)),
        context(LLVM::LLVMStructType::getLiteral(function.getContext(),
                                                 captures)) {}
  SmallVector<Type> captures;
  LLVM::LLVMStructType context;
};

static Value fieldAddress(OpBuilder &b, Location loc, const ChunkSignature &chunk,
                          Value context, unsigned field) {
  return LLVM::GEPOp::create(
      b, loc, context.getType(), chunk.context, context,
      ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(field)});
}

/// `void wrapper(void *context, int64_t lo, int64_t hi)`.
static LLVM::LLVMFuncOp createWrapper(OpBuilder &b, LLVM::LLVMFuncOp function) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(function);
  Location loc = function.getLoc();
  ChunkSignature chunk(function);
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()),
      {pointer, b.getI64Type(), b.getI64Type()});
  auto wrapper = LLVM::LLVMFuncOp::create(
      b, loc, (function.getName() + ".packed").str(), type,
      LLVM::Linkage::Internal);
  Block *entry = wrapper.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  SmallVector<Value> operands;
  for (auto [field, fieldType] : llvm::enumerate(chunk.captures))
    operands.push_back(LLVM::LoadOp::create(
        b, loc, fieldType,
        fieldAddress(b, loc, chunk, entry->getArgument(0), field)));
  operands.push_back(entry->getArgument(1));
  operands.push_back(entry->getArgument(2));
  operands.push_back(entry->getArgument(2)); // the grain, which is not read
  LLVM::CallOp::create(b, loc, function, operands);
  LLVM::ReturnOp::create(b, loc, ValueRange{});
  return wrapper;
}

static LLVM::LLVMFuncOp getParallelFor(OpBuilder &b, ModuleOp module) {
  StringRef name = "mindrt_parallel_for";
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return function;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = LLVM::LLVMFunctionType::get(
      b.getI32Type(), {pointer, pointer, b.getI64Type(), b.getI64Type()});
  return LLVM::LLVMFuncOp::create(b, module.getLoc(), name, type);
}

/// The captured operands of a call on its function's stack.
static Value createContext(OpBuilder &b, LLVM::CallOp call,
                           const ChunkSignature &chunk) {
  Location loc = call.getLoc();
  auto caller = call->getParentOfType<LLVM::LLVMFuncOp>();
  Value context;
  {
    // In the entry block, so that a loop around the call does not grow the stack.
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&caller.getBody().front());
    Value one = LLVM::ConstantOp::create(b, loc, b.getI64Type(),
                                         b.getI64IntegerAttr(1));
    context =
        LLVM::AllocaOp::create(b, loc, LLVM::LLVMPointerType::get(b.getContext()),
                               chunk.context, one);
  }
  for (unsigned field = 0; field < chunk.captures.size(); ++field)
    LLVM::StoreOp::create(b, loc, call.getOperand(field),
                          fieldAddress(b, loc, chunk, context, field));
  return context;
}

namespace {

struct PackParallelCalls
    : mlir::mindir::impl::PackParallelCallsBase<PackParallelCalls> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::StringMap<LLVM::LLVMFuncOp> chunks, wrappers;
    for (auto function : module.getOps<LLVM::LLVMFuncOp>())
      if (function->hasAttr(kChunkName))
        chunks[function.getName()] = function;
    OpBuilder b(&getContext());
    SmallVector<LLVM::CallOp> calls;
    module.walk([&](LLVM::CallOp call) {
      if (call.getCallee() && chunks.contains(*call.getCallee()))
        calls.push_back(call);
    });
    for (auto &entry : chunks)
      wrappers[entry.getKey()] = createWrapper(b, entry.getValue());
    for (LLVM::CallOp call : calls)
      pack(b, module, call, chunks[*call.getCallee()],
           wrappers[*call.getCallee()]);
  }

private:
  static void pack(OpBuilder &b, ModuleOp module, LLVM::CallOp call,
                   LLVM::LLVMFuncOp function, LLVM::LLVMFuncOp wrapper) {
    LLVM::LLVMFuncOp parallelFor = getParallelFor(b, module);
    b.setInsertionPoint(call);
    Location loc = call.getLoc();
    Value context = createContext(b, call, ChunkSignature(function));
    unsigned count = call->getNumOperands();
    Value n = call.getOperand(count - 2), grain = call.getOperand(count - 1);
    Value address = LLVM::AddressOfOp::create(b, loc, wrapper);
    LLVM::CallOp::create(b, loc, parallelFor,
                         ValueRange{address, context, n, grain});
    call.erase();
  }
};

} // namespace
