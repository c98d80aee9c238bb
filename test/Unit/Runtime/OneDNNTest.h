//===- OneDNNTest.h - Tensors and references for library tests --*- C++ -*-===//
//
// Strided test tensors, and the library operations as plain loops with double
// accumulation, written from their definitions.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_TEST_UNIT_RUNTIME_ONEDNNTEST_H
#define MINDIR_TEST_UNIT_RUNTIME_ONEDNNTEST_H

#include "mindir-c/Runtime.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

using Index = std::vector<int64_t>;

/// A float tensor whose dimensions may lie in any order in memory.
struct TestTensor {
  Index sizes, strides;
  std::vector<float> data;

  TestTensor() = default;
  /// `order` lists the dimensions from the slowest to the fastest; empty means
  /// row-major. `gap` multiplies the stride of the fastest.
  explicit TestTensor(Index sizes, Index order = {}, int64_t gap = 1)
      : sizes(sizes), strides(sizes.size(), 1) {
    if (order.empty())
      for (size_t d = 0; d < sizes.size(); ++d)
        order.push_back(static_cast<int64_t>(d));
    int64_t stride = gap;
    for (size_t i = order.size(); i-- > 0;) {
      strides[static_cast<size_t>(order[i])] = stride;
      stride *= sizes[static_cast<size_t>(order[i])];
    }
    data.assign(static_cast<size_t>(std::max<int64_t>(stride, 1)), 0.0f);
  }

  float &at(const Index &index) {
    int64_t offset = 0;
    for (size_t d = 0; d < sizes.size(); ++d)
      offset += index[d] * strides[d];
    return data[static_cast<size_t>(offset)];
  }

  void fill(std::mt19937 &random) {
    std::uniform_real_distribution<float> uniform(-1, 1);
    for (float &value : data)
      value = uniform(random);
  }

  MindrtMemRef memref() {
    return {MINDRT_FLOAT32, static_cast<int32_t>(sizes.size()), data.data(),
            sizes.data(), strides.data()};
  }

  void forEach(const std::function<void(const Index &)> &visit) const {
    Index index(sizes.size(), 0);
    for (int64_t size : sizes)
      if (size == 0)
        return;
    while (true) {
      visit(index);
      size_t d = sizes.size();
      while (d > 0 && ++index[d - 1] == sizes[d - 1])
        index[--d] = 0;
      if (d == 0)
        return;
    }
  }
};

inline int callLibrary(const char *name, std::vector<TestTensor *> tensors,
                       const std::vector<int64_t> &config) {
  std::vector<MindrtMemRef> memrefs;
  for (TestTensor *tensor : tensors)
    memrefs.push_back(tensor->memref());
  std::vector<const MindrtMemRef *> operands;
  for (const MindrtMemRef &memref : memrefs)
    operands.push_back(&memref);
  return mindrt_library_call(name, static_cast<int64_t>(operands.size()),
                             operands.data(), config.data(),
                             static_cast<int64_t>(config.size()));
}

inline int64_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/// Largest difference over all elements, relative to 1 + |expected|.
inline double maxError(TestTensor &found, TestTensor &expected) {
  double error = 0;
  found.forEach([&](const Index &i) {
    double e = expected.at(i), difference = std::fabs(found.at(i) - e);
    error = std::max(
        error, std::isnan(difference) ? 1e30 : difference / (1 + std::fabs(e)));
  });
  return error;
}

/// A random convolution and its operands.
struct ConvolutionCase {
  int64_t spatial, layout, weightsLayout, groups, batch, in, out;
  Index strides, dilations, before, after, kernel, size;

  explicit ConvolutionCase(std::mt19937 &random);

  int64_t outSize(size_t d) const {
    int64_t room =
        size[d] + before[d] + after[d] - (kernel[d] - 1) * dilations[d] - 1;
    return room < 0 ? 0 : room / strides[d] + 1;
  }
  std::vector<int64_t> config(std::vector<int64_t> postOps = {0}) const;
  /// Index into an activation, or a weight, for logical coordinates.
  Index dataIndex(int64_t n, int64_t c, const Index &position) const;
  Index weightsIndex(int64_t o, int64_t i, const Index &k) const;
  /// New operands, their memory in the natural order or a random one.
  TestTensor makeData(std::mt19937 &random) const;
  TestTensor makeWeights(std::mt19937 &random) const;
  TestTensor makeResult(std::mt19937 &random) const;

  /// Calls `visit(data index, weights index, result index)` for every product
  /// of the convolution's definition.
  void forEachProduct(const std::function<void(const Index &, const Index &,
                                               const Index &)> &visit) const;
};

#endif // MINDIR_TEST_UNIT_RUNTIME_ONEDNNTEST_H
