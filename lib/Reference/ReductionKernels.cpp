//===- ReductionKernels.cpp - reductions by definition --------------------===//
//
// Accumulates wide, in row-major order of the input, and rounds once at the end.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Reference/Kernels.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::mindir;
using namespace mlir::mindir::reference;

/// How a reduction starts and takes one element more, per kind of number.
struct Combination {
  Real initialReal;
  Real (*combineReal)(Real, Real);
  Integer (*getInitialInteger)(DType);
  Integer (*combineInteger)(Integer, Integer);
};

static constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

static Real takeMaximum(Real x, Real y) {
  return std::isnan(x) || x > y ? x : y;
}

static Real takeMinimum(Real x, Real y) {
  return std::isnan(x) || x < y ? x : y;
}

static const Combination kSum = {0, [](Real x, Real y) { return x + y; },
                                 [](DType) { return Integer(0); }, addWrapping};
static const Combination kProduct = {1, [](Real x, Real y) { return x * y; },
                                     [](DType) { return Integer(1); },
                                     multiplyWrapping};
static const Combination kMaximum = {
    -kInfinity, takeMaximum, getLeastInteger,
    [](Integer x, Integer y) { return std::max(x, y); }};
static const Combination kMinimum = {
    kInfinity, takeMinimum, getGreatestInteger,
    [](Integer x, Integer y) { return std::min(x, y); }};

/// The input's shape with `axes` replaced by one.
static SmallVector<int64_t> keepReduced(ArrayRef<int64_t> shape,
                                        ArrayRef<int64_t> axes) {
  SmallVector<int64_t> kept(shape);
  for (int64_t axis : axes)
    kept[axis] = 1;
  return kept;
}

static SmallVector<int64_t> dropReduced(ArrayRef<int64_t> shape,
                                        ArrayRef<int64_t> axes) {
  SmallVector<int64_t> dropped;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (!llvm::is_contained(axes, static_cast<int64_t>(dim)))
      dropped.push_back(size);
  return dropped;
}

/// Calls `visit(from, to)` for each input position and the position of the result
/// that it contributes to.
static void forEachContribution(ArrayRef<int64_t> shape, ArrayRef<int64_t> axes,
                                llvm::function_ref<void(int64_t, int64_t)> visit) {
  SmallVector<int64_t> kept = keepReduced(shape, axes);
  int64_t from = 0;
  forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> target(index);
    for (int64_t axis : axes)
      target[axis] = 0;
    visit(from++, linearize(target, kept));
  });
}

static void reduceReals(const Tensor &input, ArrayRef<int64_t> axes,
                        const Combination &combination, Tensor &result) {
  std::vector<Real> sums(result.getNumElements(), combination.initialReal);
  forEachContribution(input.getShape(), axes, [&](int64_t from, int64_t to) {
    sums[to] = combination.combineReal(sums[to], input.getReal(from));
  });
  for (auto [i, sum] : llvm::enumerate(sums))
    result.setReal(i, sum);
}

static void reduceIntegers(const Tensor &input, ArrayRef<int64_t> axes,
                           const Combination &combination, Tensor &result) {
  std::vector<Integer> sums(result.getNumElements(),
                            combination.getInitialInteger(input.getDType()));
  forEachContribution(input.getShape(), axes, [&](int64_t from, int64_t to) {
    sums[to] = combination.combineInteger(sums[to], input.getInteger(from));
  });
  for (auto [i, sum] : llvm::enumerate(sums))
    result.setInteger(i, sum);
}

template <typename OpTy>
static void addReduction(KernelRegistry &registry, const Combination &combination) {
  registry.add<OpTy>([&combination](OpTy op, KernelCall &call) -> LogicalResult {
    const Tensor &input = call.get(op.getInput());
    Tensor *result = call.allocateResult(
        op.getKeepDims() ? keepReduced(input.getShape(), op.getAxes())
                         : dropReduced(input.getShape(), op.getAxes()));
    if (!result)
      return failure();
    auto reduce = input.isFloat() ? reduceReals : reduceIntegers;
    reduce(input, op.getAxes(), combination, *result);
    return success();
  });
}

/// Whether element `i` comes before the extreme found so far, `best`.
static bool isMoreExtreme(const Tensor &input, int64_t i, int64_t best, int sign) {
  if (!input.isFloat())
    return sign > 0 ? input.getInteger(i) > input.getInteger(best)
                    : input.getInteger(i) < input.getInteger(best);
  Real value = input.getReal(i), extreme = input.getReal(best);
  if (std::isnan(extreme))
    return false;
  return std::isnan(value) || (sign > 0 ? value > extreme : value < extreme);
}

template <typename OpTy>
static void addArgReduction(KernelRegistry &registry, int sign) {
  registry.add<OpTy>([sign](OpTy op, KernelCall &call) -> LogicalResult {
    const Tensor &input = call.get(op.getInput());
    int64_t axis = op.getAxis();
    if (input.getSize(axis) == 0)
      return call.fail("ValueError: '" + op->getName().getStringRef() +
                       "' expected at least one element along axis " + Twine(axis));
    Tensor *result = call.allocateResult(dropReduced(input.getShape(), {axis}));
    if (!result)
      return failure();
    std::vector<int64_t> best(result->getNumElements(), -1);
    int64_t stride = 1;
    for (int64_t size : input.getShape().drop_front(axis + 1))
      stride *= size;
    forEachContribution(input.getShape(), {axis}, [&](int64_t from, int64_t to) {
      if (best[to] < 0 || isMoreExtreme(input, from, best[to], sign))
        best[to] = from;
    });
    for (auto [i, position] : llvm::enumerate(best))
      result->setInteger(i, position / stride % input.getSize(axis));
    return success();
  });
}

void reference::populateReductionKernels(KernelRegistry &registry) {
  addReduction<ReduceSumOp>(registry, kSum);
  addReduction<ReduceProdOp>(registry, kProduct);
  addReduction<ReduceMaxOp>(registry, kMaximum);
  addReduction<ReduceMinOp>(registry, kMinimum);
  addArgReduction<ArgMaxOp>(registry, 1);
  addArgReduction<ArgMinOp>(registry, -1);
}
