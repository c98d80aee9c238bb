//===- AddRunChecks.cpp - what ends a run that goes on too long -----------===//
//
// Calls the runtime where a program could run for ever, use up the stack, or ask for
// a buffer whose size overflows.
//
//===----------------------------------------------------------------------===//

#include "mindir/Codegen/CPU/Passes.h"

#include "mindir/Conversion/RuntimeCalls.h"
#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "mlir/Analysis/CallGraph.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SCCIterator.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_ADDRUNCHECKS
#include "mindir/Codegen/CPU/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

/// Whether an iteration takes long enough that a look at a flag costs nothing: it
/// calls something, or holds a loop.
static bool isLong(scf::ForOp loop) {
  WalkResult found = loop.getBody()->walk([](Operation *op) {
    return isa<CallOpInterface, LoopLikeOpInterface, LaunchOp, LibraryCallOp>(op)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return found.wasInterrupted();
}

static void poll(Block *block, Location loc) {
  OpBuilder b = OpBuilder::atBlockBegin(block);
  callRuntime(b, loc, "mindrt_poll", TypeRange{}, ValueRange{});
}

/// The product of a buffer's sizes, which may exceed what an integer holds, is
/// taken in floating point.
static void checkSize(memref::AllocOp alloc) {
  if (alloc.getDynamicSizes().empty())
    return;
  OpBuilder b(alloc);
  Location loc = alloc.getLoc();
  Type real = b.getF64Type();
  double known = 1;
  for (int64_t size : alloc.getType().getShape())
    known *= ShapedType::isDynamic(size) ? 1 : static_cast<double>(size);
  Type element = alloc.getType().getElementType();
  if (element.isIntOrFloat())
    known *= llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  Value bytes = arith::ConstantOp::create(b, loc, b.getF64FloatAttr(known));
  for (Value size : alloc.getDynamicSizes()) {
    Value number = arith::SIToFPOp::create(
        b, loc, real,
        arith::IndexCastOp::create(b, loc, b.getI64Type(), size));
    bytes = arith::MulFOp::create(b, loc, bytes, number);
  }
  callRuntime(b, loc, "mindrt_check_bytes", TypeRange{}, bytes);
}

/// Checks the stack in every function that may call itself, by others or not.
static void checkRecursion(ModuleOp module) {
  CallGraph graph(module);
  SmallVector<Block *> entries;
  for (auto scc = llvm::scc_begin(static_cast<const CallGraph *>(&graph));
       !scc.isAtEnd(); ++scc) {
    if (!scc.hasCycle())
      continue;
    for (CallGraphNode *node : *scc)
      if (!node->isExternal())
        entries.push_back(&node->getCallableRegion()->front());
  }
  for (Block *entry : entries) {
    OpBuilder b = OpBuilder::atBlockBegin(entry);
    callRuntime(b, entry->getParentOp()->getLoc(), "mindrt_check_stack",
                TypeRange{}, ValueRange{});
  }
}

namespace {
struct AddRunChecks : mlir::mindir::impl::AddRunChecksBase<AddRunChecks> {
  void runOnOperation() override {
    checkRecursion(getOperation());
    getOperation().walk([](Operation *op) {
      if (auto loop = dyn_cast<scf::WhileOp>(op))
        poll(loop.getBeforeBody(), loop.getLoc());
      else if (auto loop = dyn_cast<scf::ForOp>(op); loop && isLong(loop))
        poll(loop.getBody(), loop.getLoc());
      else if (auto alloc = dyn_cast<memref::AllocOp>(op))
        checkSize(alloc);
    });
  }
};
} // namespace
