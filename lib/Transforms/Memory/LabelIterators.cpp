//===- LabelIterators.cpp - loops as bufferization is to see them ---------===//
//
// Labels the loops of ops with elementwise and reduced results.
//
//===----------------------------------------------------------------------===//

#include "mindir/Transforms/Memory/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_LABELITERATORS
#include "mindir/Transforms/Memory/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

/// Whether every output has an element of its own for each position of the loop.
static bool isParallel(linalg::GenericOp op, unsigned dim) {
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    return op.getMatchingIndexingMap(&init).isFunctionOfDim(dim);
  });
}

static bool hasElementwiseOutput(linalg::GenericOp op) {
  return llvm::any_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    return op.getMatchingIndexingMap(&init).isIdentity();
  });
}

namespace {

struct LabelIterators
    : mlir::mindir::impl::LabelIteratorsBase<LabelIterators> {
  using LabelIteratorsBase::LabelIteratorsBase;

  void runOnOperation() override {
    getOperation()->walk([&](linalg::GenericOp op) {
      if (op.getNumDpsInits() > 1 && hasElementwiseOutput(op))
        label(op);
    });
  }

private:
  void label(linalg::GenericOp op) {
    MLIRContext *context = op.getContext();
    SmallVector<Attribute> labels;
    for (unsigned dim = 0; dim < op.getNumLoops(); ++dim)
      labels.push_back(linalg::IteratorTypeAttr::get(
          context, allParallel || isParallel(op, dim)
                       ? utils::IteratorType::parallel
                       : utils::IteratorType::reduction));
    op.setIteratorTypesAttr(ArrayAttr::get(context, labels));
  }
};

} // namespace
