//===- CopyElements.cpp - Copies between strided arrays -------------------===//
//
// Dimensions that both sides hold dense are merged first. The innermost one left
// is a typed loop or a memcpy; large copies share the others among threads.
//
//===----------------------------------------------------------------------===//
#include "mindir/Runtime/Array.h"
#include "mindir/Runtime/MemRef.h"
#include "mindir/Runtime/Parallel.h"

#include <algorithm>
#include <cstring>

using namespace mindrt;

namespace {
/// A copy with merged dimensions, outermost first; strides in elements.
struct Plan {
  struct Dim {
    int64_t size, sourceStride, targetStride;
  };
  std::vector<Dim> outer;
  Dim inner = {1, 1, 1};
  int64_t element = 1;
  const char *source = nullptr;
  char *target = nullptr;
};
} // namespace

static Plan makePlan(const MindrtMemRef &source, const MindrtMemRef &target) {
  Plan plan;
  plan.element = dtypeSize(static_cast<DType>(source.dtype));
  plan.source = static_cast<const char *>(source.data);
  plan.target = static_cast<char *>(target.data);
  for (int32_t d = 0; d < source.rank; ++d) {
    Plan::Dim dim = {source.sizes[d], source.strides[d], target.strides[d]};
    if (dim.size == 1)
      continue;
    if (!plan.outer.empty()) {
      Plan::Dim &last = plan.outer.back();
      if (last.sourceStride == dim.sourceStride * dim.size &&
          last.targetStride == dim.targetStride * dim.size) {
        last = {last.size * dim.size, dim.sourceStride, dim.targetStride};
        continue;
      }
    }
    plan.outer.push_back(dim);
  }
  if (!plan.outer.empty()) {
    plan.inner = plan.outer.back();
    plan.outer.pop_back();
  }
  return plan;
}

template <typename T>
static void copyStrided(const char *source, char *target, const Plan::Dim &dim) {
  auto *from = reinterpret_cast<const T *>(source);
  auto *to = reinterpret_cast<T *>(target);
  for (int64_t i = 0; i < dim.size; ++i)
    to[i * dim.targetStride] = from[i * dim.sourceStride];
}

static void copyInner(const Plan &plan, const char *source, char *target) {
  if (plan.inner.sourceStride == 1 && plan.inner.targetStride == 1) {
    std::memcpy(target, source,
                static_cast<size_t>(plan.inner.size * plan.element));
    return;
  }
  switch (plan.element) {
  case 1:
    return copyStrided<uint8_t>(source, target, plan.inner);
  case 2:
    return copyStrided<uint16_t>(source, target, plan.inner);
  case 4:
    return copyStrided<uint32_t>(source, target, plan.inner);
  default:
    return copyStrided<uint64_t>(source, target, plan.inner);
  }
}

/// Copies the inner rows with numbers in [lo, hi).
static void copyRows(const Plan &plan, int64_t lo, int64_t hi) {
  for (int64_t row = lo; row < hi; ++row) {
    int64_t rest = row, from = 0, to = 0;
    for (size_t d = plan.outer.size(); d-- > 0;) {
      const Plan::Dim &dim = plan.outer[d];
      from += rest % dim.size * dim.sourceStride;
      to += rest % dim.size * dim.targetStride;
      rest /= dim.size;
    }
    copyInner(plan, plan.source + from * plan.element,
              plan.target + to * plan.element);
  }
}

void mindrt::copyElements(const MindrtMemRef &source,
                          const MindrtMemRef &target) {
  if (isEmpty(source))
    return;
  Plan plan = makePlan(source, target);
  // One run of bytes is cut so that threads can share it.
  constexpr int64_t kChunk = 1 << 18;
  bool isDense = plan.outer.empty() && plan.inner.sourceStride == 1 &&
                 plan.inner.targetStride == 1;
  int64_t chunk = std::max<int64_t>(kChunk / plan.element, 1);
  if (isDense) {
    auto copyRange = [&](int64_t lo, int64_t hi) {
      std::memcpy(plan.target + lo * plan.element,
                  plan.source + lo * plan.element,
                  static_cast<size_t>((hi - lo) * plan.element));
    };
    // Fails only for an interruption: the copy is then done here.
    if (parallelFor(plan.inner.size, chunk, copyRange) != MINDRT_OK)
      copyRange(0, plan.inner.size);
    return;
  }
  int64_t rows = 1;
  for (const Plan::Dim &dim : plan.outer)
    rows *= dim.size;
  auto copyRange = [&](int64_t lo, int64_t hi) { copyRows(plan, lo, hi); };
  int64_t grain = std::max<int64_t>(chunk / plan.inner.size, 1);
  if (parallelFor(rows, grain, copyRange) != MINDRT_OK)
    copyRange(0, rows);
}
