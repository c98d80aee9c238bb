//===- ScheduleOps.cpp - the schedule's calls -----------------------------===//
//
// Destination-passing calls of kernels and libraries: what bufferization asks
// of them, and their effects on buffers.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

#define GET_OP_CLASSES
#include "mindir/Dialect/MindIR/IR/ScheduleOps.cpp.inc"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::mindir;

//===----------------------------------------------------------------------===//
// What both calls share
//===----------------------------------------------------------------------===//

/// Whether the call reads the contents of an operand.
template <typename Op> static bool readsOperand(Op op, OpOperand &operand) {
  auto style = cast<DestinationStyleOpInterface>(op.getOperation());
  if (!style.isDpsInit(&operand))
    return true;
  std::optional<ArrayRef<bool>> readsInit = op.getReadsInit();
  unsigned first = op.getInits().getBeginOperandIndex();
  return readsInit && (*readsInit)[operand.getOperandNumber() - first];
}

template <typename Op>
static void getCallEffects(
    Op op, SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
               &effects) {
  auto style = cast<DestinationStyleOpInterface>(op.getOperation());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    if (readsOperand(op, operand))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (style.isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

template <typename Op>
static AliasingValueList getCallAliases(Op op, OpOperand &operand) {
  auto style = cast<DestinationStyleOpInterface>(op.getOperation());
  if (!style.isDpsInit(&operand))
    return {};
  return {{style.getTiedOpResult(&operand), BufferRelation::Equivalent}};
}

/// Replaces a call on tensors by the call on their buffers.
static LogicalResult bufferizeCall(Operation *op, RewriterBase &rewriter,
                                   const BufferizationOptions &options,
                                   BufferizationState &state) {
  auto style = cast<DestinationStyleOpInterface>(op);
  SmallVector<Value> operands, inits;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    if (isa<TensorType>(value.getType())) {
      FailureOr<Value> buffer = getBuffer(rewriter, value, options, state);
      if (failed(buffer))
        return failure();
      value = *buffer;
    }
    operands.push_back(value);
    if (style.isDpsInit(&operand))
      inits.push_back(value);
  }
  OperationState call(op->getLoc(), op->getName(), operands, TypeRange{},
                      op->getDiscardableAttrDictionary().getValue());
  call.propertiesAttr = op->getPropertiesAsAttribute();
  rewriter.setInsertionPoint(op);
  rewriter.create(call);
  replaceOpWithBufferizedValues(rewriter, op, inits);
  return success();
}

//===----------------------------------------------------------------------===//
// LaunchOp
//===----------------------------------------------------------------------===//

/// Whether an operand is what a kernel takes: the type itself, or, once the operands
/// are buffers, a buffer of that shape and element type.
static bool fitsKernel(Type operand, Type parameter) {
  auto buffer = dyn_cast<MemRefType>(operand);
  auto shaped = dyn_cast<ShapedType>(parameter);
  if (!buffer || !shaped)
    return operand == parameter;
  return buffer.getElementType() == shaped.getElementType() &&
         succeeded(verifyCompatibleShape(buffer, shaped));
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getKernelAttr());
  if (!kernel) // launch_c1
    return emitOpError("'") << getKernel() << "' is not a function";
  if (!llvm::equal(getOperandTypes(), kernel.getFunctionType().getInputs(), fitsKernel))
    return emitOpError("operands do not fit the kernel of type ")
           << kernel.getFunctionType();
  return success();
}

void LaunchOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  getCallEffects(*this, effects);
}

bool LaunchOp::bufferizesToMemoryRead(OpOperand &operand,
                                      const AnalysisState &) {
  return readsOperand(*this, operand);
}

bool LaunchOp::bufferizesToMemoryWrite(OpOperand &operand,
                                       const AnalysisState &) {
  return isDpsInit(&operand);
}

AliasingValueList LaunchOp::getAliasingValues(OpOperand &operand,
                                              const AnalysisState &) {
  return getCallAliases(*this, operand);
}

bool LaunchOp::bufferizesToElementwiseAccess(const AnalysisState &,
                                             ArrayRef<OpOperand *>) {
  return getElementwise();
}

LogicalResult LaunchOp::bufferize(RewriterBase &rewriter,
                                  const BufferizationOptions &options,
                                  BufferizationState &state) {
  return bufferizeCall(*this, rewriter, options, state);
}

//===----------------------------------------------------------------------===//
// LibraryCallOp
//===----------------------------------------------------------------------===//

void LibraryCallOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  getCallEffects(*this, effects);
}

bool LibraryCallOp::bufferizesToMemoryRead(OpOperand &operand,
                                           const AnalysisState &) {
  return readsOperand(*this, operand);
}

bool LibraryCallOp::bufferizesToMemoryWrite(OpOperand &operand,
                                            const AnalysisState &) {
  return isDpsInit(&operand);
}

AliasingValueList LibraryCallOp::getAliasingValues(OpOperand &operand,
                                                   const AnalysisState &) {
  return getCallAliases(*this, operand);
}

bool LibraryCallOp::bufferizesToElementwiseAccess(const AnalysisState &,
                                                  ArrayRef<OpOperand *>) {
  return getElementwise();
}

LogicalResult LibraryCallOp::bufferize(RewriterBase &rewriter,
                                       const BufferizationOptions &options,
                                       BufferizationState &state) {
  return bufferizeCall(*this, rewriter, options, state);
}
