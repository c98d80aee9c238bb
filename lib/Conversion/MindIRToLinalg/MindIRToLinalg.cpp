//===- MindIRToLinalg.cpp - the conversion pass ---------------------------===//
//
// Runs the families' patterns, and gives every other op the converted types.
//
//===----------------------------------------------------------------------===//

#include "LoweringUtils.h"

#include "mindir/Conversion/LoweredOps.h"
#include "mindir/Conversion/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_CONVERTMINDIRTOLINALG
#include "mindir/Conversion/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

namespace {

/// An op of another dialect on unsigned tensors, tokens or tapes: the same op on
/// the converted types.
class RetypePattern : public ConversionPattern {
public:
  RetypePattern(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), 0, context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (isa<MindIRDialect>(op->getDialect()) && !isa<DestinationStyleOpInterface>(op))
      return failure();
    FailureOr<Operation *> converted =
        convertOpResultTypes(op, operands, *getTypeConverter(), rewriter);
    if (failed(converted))
      return failure();
    rewriter.replaceOp(op, (*converted)->getResults());
    return success();
  }
};

static void populateFamilies(const TypeConverter &converter,
                             RewritePatternSet &patterns, bool useOneDNN) {
  populateElementwiseToLinalg(converter, patterns);
  populateReductionToLinalg(converter, patterns);
  populateLinearToLinalg(converter, patterns, useOneDNN);
  populateConvolutionToLinalg(converter, patterns, useOneDNN);
  populatePoolingToLinalg(converter, patterns);
  populateNormalizationToLinalg(converter, patterns);
  populateMovementToLinalg(converter, patterns);
  populateIndexingToLinalg(converter, patterns);
  populateRandomToLinalg(converter, patterns);
  populateStateToLinalg(converter, patterns);
  populateControlFlowToLinalg(converter, patterns);
}

/// Collectives run on the reference interpreter's simulated grid alone.
static LogicalResult refuseCollectives(Operation *root) {
  WalkResult result = root->walk([](Operation *op) {
    if (!isa<AllReduceOp, AllGatherOp, AllSliceOp, AllToAllOp, ReduceScatterOp>(
            op))
      return WalkResult::advance();
    op->emitError("NotImplementedError: expected a program for one process, found '")
        << op->getName()
        << "', which compiled code cannot run yet; run it on a simulated grid by "
           "ms-run --reference --grid=<name>";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Checks before an op that the sizes it is given for its result are not negative.
static void checkGivenSizes(Operation *op) {
  OpBuilder b(op);
  SizeChecks checks(b, op->getLoc());
  for (Value operand : op->getOperands())
    if (operand.getType().isIndex() && !operand.getDefiningOp<tensor::DimOp>())
      checks.expectAtMost(indexConstant(b, op->getLoc(), 0), operand);
  checks.emit(op, "a size must not be negative");
}

struct ConvertMindIRToLinalg
    : mlir::mindir::impl::ConvertMindIRToLinalgBase<ConvertMindIRToLinalg> {
  using ConvertMindIRToLinalgBase::ConvertMindIRToLinalgBase;

  void runOnOperation() override {
    if (failed(refuseCollectives(getOperation())))
      return signalPassFailure();
    getOperation()->walk([](Operation *op) {
      if (isa<MindIRDialect>(op->getDialect()))
        checkGivenSizes(op);
    });
    MLIRContext *context = &getContext();
    LinalgTypeConverter converter;
    RewritePatternSet patterns(context);
    ConversionTarget target(*context);
    bool useOneDNN = llvm::is_contained(libraries, "onednn");
    populateFamilies(converter, patterns, useOneDNN);
    populateStructure(converter, patterns, target);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }

private:
  static void populateStructure(const TypeConverter &converter,
                                RewritePatternSet &patterns,
                                ConversionTarget &target) {
    target.addIllegalDialect<MindIRDialect>();
    target.addDynamicallyLegalOp<LaunchOp, LibraryCallOp>(
        [&](Operation *op) { return converter.isLegal(op); });
    target.markUnknownOpDynamicallyLegal(
        [&](Operation *op) { return converter.isLegal(op); });
    target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
      return converter.isSignatureLegal(op.getFunctionType()) &&
             converter.isLegal(&op.getBody());
    });
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                   converter);
    populateCallOpTypeConversionPattern(patterns, converter);
    populateReturnOpTypeConversionPattern(patterns, converter);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    patterns.add<RetypePattern>(converter, patterns.getContext());
  }
};

} // namespace

llvm::StringSet<> mlir::mindir::getLoweredOps(MLIRContext &context) {
  LinalgTypeConverter converter;
  RewritePatternSet patterns(&context);
  populateFamilies(converter, patterns, /*useOneDNN=*/false);
  llvm::StringSet<> names;
  for (const auto &pattern : patterns.getNativePatterns())
    if (std::optional<OperationName> root = pattern->getRootKind())
      names.insert(root->getStringRef());
  // One pattern takes all elementwise ops.
  for (RegisteredOperationName name : context.getRegisteredOperations())
    if (isa<MindIRDialect>(name.getDialect()) && name.hasTrait<OpTrait::Elementwise>())
      names.insert(name.getStringRef());
  return names;
}
