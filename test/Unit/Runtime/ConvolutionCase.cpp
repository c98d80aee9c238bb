//===- ConvolutionCase.cpp - Random convolutions --------------------------===//
//
// Draws the parameters of a convolution and enumerates the products of its
// definition.
//
//===----------------------------------------------------------------------===//
#include "OneDNNTest.h"

static int64_t draw(std::mt19937 &random, int64_t lo, int64_t hi) {
  return std::uniform_int_distribution<int64_t>(lo, hi)(random);
}

ConvolutionCase::ConvolutionCase(std::mt19937 &random) {
  spatial = draw(random, 0, 5) == 0 ? draw(random, 1, 3) : 2;
  layout = draw(random, 0, 1);
  weightsLayout = draw(random, 0, 2);
  groups = draw(random, 0, 2) == 0 ? draw(random, 2, 4) : 1;
  batch = draw(random, 0, 3);
  bool depthwise = groups > 1 && draw(random, 0, 1);
  in = groups * (depthwise ? 1 : draw(random, 1, 9));
  out = groups * (depthwise ? draw(random, 1, 2) : draw(random, 1, 19));
  for (int64_t d = 0; d < spatial; ++d) {
    strides.push_back(draw(random, 1, 3));
    dilations.push_back(draw(random, 0, 2) ? 1 : draw(random, 2, 3));
    before.push_back(draw(random, 0, 2));
    after.push_back(draw(random, 0, 3));
    kernel.push_back(draw(random, 1, 3));
    size.push_back(draw(random, 1, spatial == 3 ? 6 : 11));
  }
}

std::vector<int64_t>
ConvolutionCase::config(std::vector<int64_t> postOps) const {
  std::vector<int64_t> list{spatial, layout, weightsLayout, groups};
  for (const Index *part : {&strides, &dilations, &before, &after})
    list.insert(list.end(), part->begin(), part->end());
  list.insert(list.end(), postOps.begin(), postOps.end());
  return list;
}

Index ConvolutionCase::dataIndex(int64_t n, int64_t c,
                                 const Index &position) const {
  Index index{n};
  if (layout == MINDRT_CHANNELS_FIRST)
    index.push_back(c);
  index.insert(index.end(), position.begin(), position.end());
  if (layout == MINDRT_CHANNELS_LAST)
    index.push_back(c);
  return index;
}

Index ConvolutionCase::weightsIndex(int64_t o, int64_t i,
                                    const Index &k) const {
  Index index;
  if (weightsLayout != MINDRT_KIO)
    index.push_back(o);
  if (weightsLayout == MINDRT_OIK)
    index.push_back(i);
  index.insert(index.end(), k.begin(), k.end());
  if (weightsLayout != MINDRT_OIK)
    index.push_back(i);
  if (weightsLayout == MINDRT_KIO)
    index.push_back(o);
  return index;
}

/// A filled tensor; now and then its memory is in another order, or has gaps.
static TestTensor makeTensor(Index sizes, std::mt19937 &random) {
  Index order;
  for (size_t d = 0; d < sizes.size(); ++d)
    order.push_back(static_cast<int64_t>(d));
  if (draw(random, 0, 4) == 0)
    std::shuffle(order.begin(), order.end(), random);
  TestTensor tensor(sizes, order, draw(random, 0, 7) ? 1 : 2);
  tensor.fill(random);
  return tensor;
}

TestTensor ConvolutionCase::makeData(std::mt19937 &random) const {
  return makeTensor(dataIndex(batch, in, size), random);
}

TestTensor ConvolutionCase::makeWeights(std::mt19937 &random) const {
  return makeTensor(weightsIndex(out, in / groups, kernel), random);
}

TestTensor ConvolutionCase::makeResult(std::mt19937 &random) const {
  Index outSizes;
  for (size_t d = 0; d < kernel.size(); ++d)
    outSizes.push_back(outSize(d));
  return makeTensor(dataIndex(batch, out, outSizes), random);
}

void ConvolutionCase::forEachProduct(
    const std::function<void(const Index &, const Index &, const Index &)>
        &visit) const {
  Index outSizes;
  for (size_t d = 0; d < kernel.size(); ++d)
    outSizes.push_back(outSize(d));
  TestTensor channels({batch, out, in / groups}), places(outSizes),
      taps(kernel);
  channels.forEach([&](const Index &c) {
    int64_t group = c[1] / (out / groups);
    places.forEach([&](const Index &place) {
      taps.forEach([&](const Index &tap) {
        Index position(tap.size());
        for (size_t d = 0; d < tap.size(); ++d) {
          position[d] =
              place[d] * strides[d] + tap[d] * dilations[d] - before[d];
          if (position[d] < 0 || position[d] >= size[d])
            return;
        }
        visit(dataIndex(c[0], group * (in / groups) + c[2], position),
              weightsIndex(c[1], c[2], tap), dataIndex(c[0], c[1], place));
      });
    });
  });
}
