//===- OutlineKernels.cpp - kernels apart from the schedule ---------------===//
//
// Moves each kernel, a linalg op on buffers with the fills that feed it, into a
// function named by its structure.
//
//===----------------------------------------------------------------------===//

#include "mindir/Transforms/Memory/Passes.h"

#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/xxhash.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_OUTLINEKERNELS
#include "mindir/Transforms/Memory/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

/// A kernel: the ops in order, and the values they take from outside.
struct Kernel {
  explicit Kernel(linalg::LinalgOp op) { ops.push_back(op); }

  /// Takes in the fill directly before that writes one of the op's outputs.
  void takeFills() {
    while (auto fill = dyn_cast_or_null<linalg::FillOp>(
               ops.front()->getPrevNode())) {
      Value buffer = fill.getOutputs()[0];
      if (!llvm::is_contained(ops.back()->getOperands(), buffer))
        return;
      ops.insert(ops.begin(), fill);
    }
  }

  void findOperands() {
    llvm::SetVector<Value> used;
    for (Operation *op : ops) {
      for (Value operand : op->getOperands())
        used.insert(operand);
      getUsedValuesDefinedAbove(op->getRegions(), used);
    }
    SmallVector<Value> written;
    for (Value value : used) {
      if (matchPattern(value, m_Constant()))
        constants.push_back(value.getDefiningOp());
      else if (isWritten(value))
        written.push_back(value);
      else
        operands.push_back(value);
    }
    numInputs = operands.size();
    llvm::append_range(operands, written);
  }

  /// Whether the kernel reads what a buffer that it writes held before.
  bool readsOld(Value buffer) {
    Operation *first = ops.front();
    auto fill = dyn_cast<linalg::FillOp>(first);
    if (fill && fill.getOutputs()[0] == buffer)
      return false;
    return llvm::any_of(ops.back()->getOpOperands(), [&](OpOperand &operand) {
      return operand.get() == buffer &&
             cast<linalg::LinalgOp>(ops.back()).payloadUsesValueFromOperand(
                 &operand);
    });
  }

  bool isWritten(Value value) {
    return llvm::any_of(ops, [&](Operation *op) {
      return llvm::is_contained(
          cast<DestinationStyleOpInterface>(op).getDpsInits(), value);
    });
  }

  SmallVector<Operation *> ops;
  SmallVector<Operation *> constants;
  /// The inputs, then what is written.
  SmallVector<Value> operands;
  size_t numInputs = 0;
};

/// The kernel as a function of its own, in no module yet.
static func::FuncOp createFunction(OpBuilder &b, const Kernel &kernel) {
  Location unknown = b.getUnknownLoc();
  auto type =
      b.getFunctionType(TypeRange(ValueRange(kernel.operands)), TypeRange());
  auto function = func::FuncOp::create(unknown, "kernel", type);
  function.setPrivate();
  Block *entry = function.addEntryBlock();
  OpBuilder body = OpBuilder::atBlockBegin(entry);
  IRMapping mapping;
  mapping.map(kernel.operands, entry->getArguments());
  for (Operation *constant : kernel.constants)
    body.clone(*constant, mapping);
  for (Operation *op : kernel.ops)
    body.clone(*op, mapping);
  func::ReturnOp::create(body, unknown);
  return function;
}

/// The kernel's text without locations: equal text, equal kernel.
static std::string printStructure(func::FuncOp function) {
  std::string text;
  llvm::raw_string_ostream os(text);
  OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(/*largeElementLimit=*/1 << 20);
  function->print(os, flags.useLocalScope());
  return text;
}

namespace {

struct OutlineKernels
    : mlir::mindir::impl::OutlineKernelsBase<OutlineKernels> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (!isa<linalg::FillOp>(op.getOperation()))
        ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops)
      outline(op);
  }

private:
  void outline(linalg::LinalgOp op) {
    OpBuilder b(op);
    Kernel kernel(op);
    kernel.takeFills();
    kernel.findOperands();
    func::FuncOp function = intern(createFunction(b, kernel));
    ArrayRef<Value> operands = kernel.operands;
    ArrayRef<Value> inits = operands.drop_front(kernel.numInputs);
    SmallVector<bool> readsOld;
    for (Value init : inits)
      readsOld.push_back(kernel.readsOld(init));
    LaunchOp::create(b, op.getLoc(), TypeRange(), function.getName(),
                     operands.take_front(kernel.numInputs), inits,
                     b.getDenseBoolArrayAttr(readsOld), /*elementwise=*/false);
    for (Operation *member : llvm::reverse(kernel.ops))
      member->erase();
  }

  /// The one function in the module that equals `function`, which is given away.
  func::FuncOp intern(func::FuncOp function) {
    std::string text = printStructure(function);
    auto [known, isNew] = kernels.try_emplace(text, function);
    if (!isNew) {
      ++numShared;
      function.erase();
      return known->second;
    }
    ++numKernels;
    std::string name =
        "kernel_" + llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true);
    function.setName(name);
    SymbolTable(getOperation())
        .insert(function, getOperation().getBody()->begin());
    return function;
  }

  llvm::StringMap<func::FuncOp> kernels;
};

} // namespace
