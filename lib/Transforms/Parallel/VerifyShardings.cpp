//===- VerifyShardings.cpp - refusal of shardings that do not divide ------===//
//
// Checks annotations against their grid before anything is cut.
//
//===----------------------------------------------------------------------===//

#include "ShardingUtils.h"

#include "mindir/Transforms/Parallel/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_VERIFYSHARDINGS
#include "mindir/Transforms/Parallel/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;
using shard::GridAxis;
using shard::Sharding;

static std::string describeArgument(Operation *function, unsigned number) {
  auto name = function->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
  return ("argument " + Twine(number) + " of '" +
          (name ? name.getValue() : StringRef("?")) + "'")
      .str();
}

/// Names the tensor that an annotation is on: a result or argument, or the operand of
/// its first user.
static std::string describe(shard::ShardOp op) {
  Value source = op.getSrc();
  if (op.getAnnotateForUsers() && !op->use_empty()) {
    OpOperand &use = *op->use_begin();
    return ("operand " + Twine(use.getOperandNumber()) + " of '" +
            use.getOwner()->getName().getStringRef() + "'")
        .str();
  }
  while (auto outer = source.getDefiningOp<shard::ShardOp>())
    source = outer.getSrc();
  if (auto result = dyn_cast<OpResult>(source))
    return ("result " + Twine(result.getResultNumber()) + " of '" +
            result.getOwner()->getName().getStringRef() + "'")
        .str();
  auto argument = cast<BlockArgument>(source);
  Operation *parent = argument.getOwner()->getParentOp();
  if (isa<FunctionOpInterface>(parent))
    return describeArgument(parent, argument.getArgNumber());
  return ("argument " + Twine(argument.getArgNumber()) + " of a region of '" +
          parent->getName().getStringRef() + "'")
      .str();
}

namespace {
/// One sharding, where it is, and what it is on.
struct Annotation {
  Operation *op;
  Location location;
  Sharding sharding;
  Type type;
  std::string subject;
};
} // namespace

/// Checks grid and axes; gives the grid.
static FailureOr<shard::GridOp> verifyAxes(const Annotation &annotation,
                                           SymbolTableCollection &symbols) {
  const Sharding &sharding = annotation.sharding;
  auto grid = symbols.lookupNearestSymbolFrom<shard::GridOp>(
      annotation.op, sharding.getGridAttr());
  if (!grid)
    return emitError(annotation.location)
           << "ValueError: the sharding of " << annotation.subject
           << " names grid '" << sharding.getGrid() << "', which does not exist";
  if (!sharding.getStaticHaloSizes().empty() ||
      !sharding.getStaticShardedDimsOffsets().empty())
    return emitError(annotation.location)
           << "ValueError: the sharding of " << annotation.subject
           << " has halos or uneven parts, which are not supported; split evenly";
  llvm::SmallDenseSet<GridAxis> seen;
  for (shard::GridAxesAttr axes : sharding.getSplitAxes())
    for (GridAxis axis : axes.asArrayRef())
      if (axis < 0 || axis >= grid.getRank() || !seen.insert(axis).second ||
          ShapedType::isDynamic(grid.getShape()[axis]))
        return emitError(annotation.location)
               << "ValueError: the sharding of " << annotation.subject
               << " must use each axis of grid '" << sharding.getGrid()
               << "' at most once and of known extent, but uses axis " << axis;
  return grid;
}

static LogicalResult verifyAnnotation(const Annotation &annotation,
                                      SymbolTableCollection &symbols) {
  FailureOr<shard::GridOp> grid = verifyAxes(annotation, symbols);
  if (failed(grid))
    return failure();
  auto tensor = dyn_cast<RankedTensorType>(annotation.type);
  int64_t rank = tensor ? tensor.getRank() : 0;
  ArrayRef<shard::GridAxesAttr> split = annotation.sharding.getSplitAxes();
  for (auto [dim, axes] : llvm::enumerate(split)) {
    if (axes.empty())
      continue;
    auto fail = [&]() {
      return OpError(annotation.location, ErrorKind::Value, "Shard");
    };
    if (static_cast<int64_t>(dim) >= rank)
      return fail() << annotation.subject << " of type " << annotation.type
                    << " has no dimension " << dim << " to split";
    int64_t size = tensor.getDimSize(dim);
    int64_t group = *getGroupSize(*grid, axes.asArrayRef());
    if (ShapedType::isDynamic(size))
      return fail() << "dimension " << dim << " of " << annotation.subject
                    << " must be of known size to be split over grid '"
                    << annotation.sharding.getGrid() << "'";
    if (group == 0 || size % group != 0)
      return fail() << "dimension " << dim << " of " << annotation.subject
                    << " has size " << size << ", which the " << group
                    << " devices of grid '" << annotation.sharding.getGrid()
                    << "' of shape [" << grid->getShape()
                    << "] along its axes do not divide; pad the dimension or split "
                       "another one";
  }
  return success();
}

namespace {
struct VerifyShardings : mindir::impl::VerifyShardingsBase<VerifyShardings> {
  void runOnOperation() override {
    bool failed = false;
    SymbolTableCollection symbols;
    auto verify = [&](const Annotation &annotation) {
      failed |= mlir::failed(verifyAnnotation(annotation, symbols));
    };
    getOperation().walk([&](shard::ShardOp op) {
      verify({op, op.getLoc(), Sharding(op.getSharding()), op.getType(), describe(op)});
    });
    for (auto function : getOperation().getOps<func::FuncOp>())
      verifyFunction(function, verify);
    if (failed)
      signalPassFailure();
    markAllAnalysesPreserved();
  }

  void verifyFunction(func::FuncOp function,
                      function_ref<void(const Annotation &)> verify) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (auto sharding =
              function.getArgAttrOfType<ShardingAttr>(i, kShardingAttrName))
        verify({function, function.getLoc(), fromAttribute(sharding),
                function.getArgumentTypes()[i], describeArgument(function, i)});
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      if (auto sharding =
              function.getResultAttrOfType<ShardingAttr>(i, kShardingAttrName))
        verify({function, function.getLoc(), fromAttribute(sharding),
                function.getResultTypes()[i],
                ("result " + Twine(i) + " of '" + function.getName() + "'").str()});
  }
};
} // namespace
