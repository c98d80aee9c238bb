//===- OneDNNTest.cpp - Library calls against plain loops -----------------===//
//
// Matrix products and convolutions of fuzzed shapes, layouts, strides and
// post-ops against the definitions, and the errors.
//
//===----------------------------------------------------------------------===//
#include "OneDNNTest.h"
#include "RuntimeTest.h"

namespace {
using OneDNNTest = RuntimeTest;

constexpr double kTolerance = 2e-5;

int64_t draw(std::mt19937 &random, int64_t lo, int64_t hi) {
  return std::uniform_int_distribution<int64_t>(lo, hi)(random);
}

/// What a post-op list does to one element.
double applyPostOps(const std::vector<int64_t> &list, double value, double bias,
                    double residual) {
  for (size_t i = 1; i < list.size(); i += 2) {
    auto bits = static_cast<uint32_t>(list[i + 1]);
    float parameter;
    std::memcpy(&parameter, &bits, sizeof(bits));
    if (list[i] == MINDRT_POST_BIAS)
      value += bias;
    else if (list[i] == MINDRT_POST_RESIDUAL)
      value += residual;
    else if (list[i] == MINDRT_POST_CHANNEL_SUB)
      value -= bias;
    else if (list[i] == MINDRT_POST_CHANNEL_MUL)
      value *= bias;
    else if (list[i] != MINDRT_POST_SCALE)
      value = value > 0 ? value : parameter * value;
    else
      value *= parameter;
  }
  return value;
}

std::vector<int64_t> drawPostOps(std::mt19937 &random) {
  int64_t relu = MINDRT_POST_RELU, scale = MINDRT_POST_SCALE;
  int64_t fast = MINDRT_POST_RELU_NO_NAN;
  int64_t less = MINDRT_POST_CHANNEL_SUB, times = MINDRT_POST_CHANNEL_MUL;
  int64_t bias = MINDRT_POST_BIAS, sum = MINDRT_POST_RESIDUAL;
  std::vector<std::vector<int64_t>> lists = {
      {0},
      {1, bias, 0},
      {2, bias, 0, relu, 0},
      {1, sum, 0},
      {2, sum, 0, fast, 0},
      {4, less, 0, times, 0, bias, 0, sum, 0},
      {3, bias, 0, sum, 0, relu, 0},
      {3, scale, bitsOf(0.5f), bias, 0, relu, bitsOf(0.25f)},
      {4, fast, 0, sum, 0, scale, bitsOf(-2.0f), bias, 0}};
  return lists[static_cast<size_t>(
      draw(random, 0, static_cast<int64_t>(lists.size()) - 1))];
}

/// Operands that the list takes, in its order.
std::vector<TestTensor *> postOperands(const std::vector<int64_t> &list,
                                       TestTensor &bias, TestTensor &residual) {
  std::vector<TestTensor *> result;
  for (size_t i = 1; i < list.size(); i += 2) {
    if (list[i] == MINDRT_POST_BIAS || list[i] == MINDRT_POST_CHANNEL_SUB ||
        list[i] == MINDRT_POST_CHANNEL_MUL)
      result.push_back(&bias);
    if (list[i] == MINDRT_POST_RESIDUAL)
      result.push_back(&residual);
  }
  return result;
}
} // namespace

TEST_F(OneDNNTest, Registered) {
  for (const char *name : {"onednn.matmul", "onednn.convolution",
                           "onednn.convolution_backward_data",
                           "onednn.convolution_backward_weights"}) {
    EXPECT_EQ(mindrt_library_has(name, MINDRT_FLOAT32), 1);
    for (int32_t dtype : {MINDRT_FLOAT16, MINDRT_BFLOAT16, MINDRT_FLOAT64})
      EXPECT_EQ(mindrt_library_has(name, dtype), 0);
  }
}

/// C = post(A x B) for the operands, in double.
static TestTensor referenceMatmul(TestTensor &a, TestTensor &b, TestTensor &c,
                                  const std::vector<int64_t> &list,
                                  TestTensor &bias, TestTensor &residual) {
  TestTensor expected(c.sizes);
  size_t m = c.sizes.size() - 2, n = m + 1;
  c.forEach([&](const Index &i) {
    double sum = 0;
    Index ia = i, ib = i;
    for (size_t d = 0; d < m; ++d) {
      ia[d] = a.sizes[d] == 1 ? 0 : i[d];
      ib[d] = b.sizes[d] == 1 ? 0 : i[d];
    }
    for (int64_t k = 0; k < a.sizes[n]; ++k) {
      ia[n] = ib[m] = k;
      sum += double(a.at(ia)) * b.at(ib);
    }
    expected.at(i) = static_cast<float>(
        applyPostOps(list, sum, bias.at({i[n]}), residual.at(i)));
  });
  return expected;
}

TEST_F(OneDNNTest, MatmulEqualsItsDefinition) {
  std::mt19937 random(1);
  for (int round = 0; round < 400; ++round) {
    auto batchRank = static_cast<size_t>(draw(random, 0, 3));
    int64_t sizes[3];
    for (int64_t &size : sizes)
      size = draw(random, 0, 9) ? draw(random, 1, 40) : 0;
    Index sizesA, sizesB, sizesC;
    for (size_t d = 0; d < batchRank; ++d) {
      int64_t size = draw(random, 0, 3);
      sizesC.push_back(size);
      bool broadcastA = draw(random, 0, 3) == 0;
      sizesA.push_back(broadcastA ? 1 : size);
      sizesB.push_back(broadcastA || draw(random, 0, 3) ? size : 1);
    }
    for (auto [list, m, n] :
         {std::tuple{&sizesA, 0, 1}, std::tuple{&sizesB, 1, 2},
          std::tuple{&sizesC, 0, 2}}) {
      list->push_back(sizes[m]);
      list->push_back(sizes[n]);
    }
    auto order = [&](bool transposed) {
      Index result;
      for (size_t d = 0; d < batchRank + 2; ++d)
        result.push_back(static_cast<int64_t>(d));
      if (transposed)
        std::swap(result[batchRank], result[batchRank + 1]);
      return result;
    };
    auto gap = [&] { return draw(random, 0, 9) ? 1 : 3; };
    TestTensor a(sizesA, order(draw(random, 0, 1)), gap()),
        b(sizesB, order(draw(random, 0, 1)), gap()),
        c(sizesC, order(draw(random, 0, 9) == 0), gap()), bias({sizes[2]}),
        residual(sizesC, order(draw(random, 0, 9) == 0));
    for (TestTensor *tensor : {&a, &b, &c, &bias, &residual})
      tensor->fill(random);
    std::vector<int64_t> list = drawPostOps(random);
    bool inPlace = draw(random, 0, 2) == 0;
    TestTensor &added = inPlace ? c : residual;
    TestTensor expected = referenceMatmul(a, b, c, list, bias, added);
    std::vector<TestTensor *> operands{&a, &b};
    for (TestTensor *tensor : postOperands(list, bias, added))
      operands.push_back(tensor);
    operands.push_back(&c);
    ASSERT_EQ(callLibrary("onednn.matmul", operands, list), 0)
        << mindrt_last_error_message();
    ASSERT_LT(maxError(c, expected), kTolerance) << "round " << round;
  }
}

TEST_F(OneDNNTest, ConvolutionEqualsItsDefinition) {
  std::mt19937 random(2);
  for (int round = 0; round < 250; ++round) {
    ConvolutionCase conv(random);
    TestTensor x = conv.makeData(random), w = conv.makeWeights(random),
               y = conv.makeResult(random), residual = conv.makeResult(random),
               bias({conv.out});
    bias.fill(random);
    std::vector<int64_t> list = drawPostOps(random);
    TestTensor &added = draw(random, 0, 2) == 0 ? y : residual;
    TestTensor expected(y.sizes);
    conv.forEachProduct([&](const Index &d, const Index &k, const Index &r) {
      expected.at(r) += x.at(d) * w.at(k);
    });
    size_t channel =
        conv.layout == MINDRT_CHANNELS_FIRST ? 1 : y.sizes.size() - 1;
    y.forEach([&](const Index &i) {
      expected.at(i) = static_cast<float>(applyPostOps(
          list, expected.at(i), bias.at({i[channel]}), added.at(i)));
    });
    std::vector<TestTensor *> operands{&x, &w};
    for (TestTensor *tensor : postOperands(list, bias, added))
      operands.push_back(tensor);
    operands.push_back(&y);
    ASSERT_EQ(callLibrary("onednn.convolution", operands, conv.config(list)), 0)
        << mindrt_last_error_message();
    ASSERT_LT(maxError(y, expected), kTolerance) << "round " << round;
  }
}

TEST_F(OneDNNTest, BackwardDataTakesPostOps) {
  std::mt19937 random(5);
  for (int round = 0; round < 150; ++round) {
    ConvolutionCase conv(random);
    TestTensor w = conv.makeWeights(random), dy = conv.makeResult(random),
               dx = conv.makeData(random), residual = conv.makeData(random);
    auto isEmpty = [](const TestTensor &tensor) {
      return std::count(tensor.sizes.begin(), tensor.sizes.end(), 0) != 0;
    };
    if (isEmpty(dy) || isEmpty(w)) // Refused, unless the output is empty too.
      continue;
    size_t channel =
        conv.layout == MINDRT_CHANNELS_FIRST ? 1 : dx.sizes.size() - 1;
    TestTensor bias({dx.sizes[channel]});
    bias.fill(random);
    std::vector<int64_t> list = drawPostOps(random);
    TestTensor &added = draw(random, 0, 2) == 0 ? dx : residual;
    TestTensor expected(dx.sizes);
    conv.forEachProduct([&](const Index &d, const Index &k, const Index &r) {
      expected.at(d) += dy.at(r) * w.at(k);
    });
    dx.forEach([&](const Index &i) {
      expected.at(i) = static_cast<float>(applyPostOps(
          list, expected.at(i), bias.at({i[channel]}), added.at(i)));
    });
    std::vector<TestTensor *> operands{&dy, &w};
    for (TestTensor *tensor : postOperands(list, bias, added))
      operands.push_back(tensor);
    operands.push_back(&dx);
    ASSERT_EQ(callLibrary("onednn.convolution_backward_data", operands,
                          conv.config(list)),
              0)
        << mindrt_last_error_message();
    ASSERT_LT(maxError(dx, expected), kTolerance) << "round " << round;
  }
}

TEST_F(OneDNNTest, ConvolutionGradientsEqualTheirDefinition) {
  std::mt19937 random(3);
  for (int round = 0; round < 250; ++round) {
    ConvolutionCase conv(random);
    TestTensor x = conv.makeData(random), w = conv.makeWeights(random),
               dy = conv.makeResult(random), dx = conv.makeData(random),
               dw = conv.makeWeights(random);
    TestTensor expectedX(dx.sizes), expectedW(dw.sizes);
    conv.forEachProduct([&](const Index &d, const Index &k, const Index &r) {
      expectedX.at(d) += dy.at(r) * w.at(k);
      expectedW.at(k) += dy.at(r) * x.at(d);
    });
    ASSERT_EQ(callLibrary("onednn.convolution_backward_data", {&dy, &w, &dx},
                          conv.config()),
              0)
        << mindrt_last_error_message();
    ASSERT_LT(maxError(dx, expectedX), kTolerance) << "round " << round;
    ASSERT_EQ(callLibrary("onednn.convolution_backward_weights", {&x, &dy, &dw},
                          conv.config()),
              0)
        << mindrt_last_error_message();
    ASSERT_LT(maxError(dw, expectedW), kTolerance) << "round " << round;
  }
}

TEST_F(OneDNNTest, PostOpsFollowIEEE) {
  TestTensor a({5, 1}), b({1, 1}), c({5, 1});
  b.data[0] = 1;
  a.data = {NAN, -INFINITY, INFINITY, -3, -0.0f};
  auto run = [&](std::vector<int64_t> list) {
    ASSERT_EQ(callLibrary("onednn.matmul", {&a, &b, &c}, list), 0);
  };
  run({1, MINDRT_POST_RELU, 0});
  EXPECT_TRUE(std::isnan(c.data[0]));
  EXPECT_EQ(c.data[1], 0);
  EXPECT_EQ(c.data[2], INFINITY);
  EXPECT_EQ(bitsOf(c.data[3]), 0);
  EXPECT_EQ(bitsOf(c.data[4]), 0);
  run({1, MINDRT_POST_RELU, bitsOf(0.5f)});
  EXPECT_TRUE(std::isnan(c.data[0]));
  EXPECT_EQ(c.data[1], -INFINITY);
  EXPECT_EQ(c.data[3], -1.5f);
  run({1, MINDRT_POST_SCALE, 0});
  EXPECT_TRUE(std::isnan(c.data[0]));
  EXPECT_TRUE(std::isnan(c.data[2]));
  run({1, MINDRT_POST_RELU_NO_NAN, 0});
  EXPECT_EQ(c.data[0], 0);
  EXPECT_EQ(c.data[2], INFINITY);
}

TEST_F(OneDNNTest, BadMatmulsAreRefused) {
  TestTensor a({2, 3}), b({3, 4}), c({2, 4}), other({2, 5}), vector({4});
  auto fails = [&](std::vector<TestTensor *> operands,
                   std::vector<int64_t> config) {
    mindrt_clear_error();
    int code = callLibrary("onednn.matmul", operands, config);
    EXPECT_EQ(mindrt_last_error_code(), code);
    return code;
  };
  EXPECT_EQ(fails({&a, &b, &c}, {0}), 0);
  EXPECT_EQ(fails({&a, &b, &other}, {0}), MINDRT_VALUE_ERROR);
  EXPECT_STREQ(mindrt_last_error_message(),
               "onednn.matmul: expected [..., M, K] x [..., K, N] = [..., M, "
               "N], found float32[2, 3] x float32[3, 4] = float32[2, 5]");
  EXPECT_EQ(fails({&a, &b}, {0}), MINDRT_VALUE_ERROR);
  EXPECT_EQ(fails({&vector, &vector, &c}, {0}), MINDRT_VALUE_ERROR);
  EXPECT_EQ(fails({&a, &b, &c}, {}), MINDRT_VALUE_ERROR);
  EXPECT_EQ(fails({&a, &b, &c}, {1, MINDRT_POST_BIAS, 0}), MINDRT_VALUE_ERROR);
  EXPECT_EQ(fails({&a, &b, &c}, {1, 9, 0}), MINDRT_VALUE_ERROR);
  EXPECT_EQ(fails({&a, &b, &c}, {2, MINDRT_POST_RELU, 0, MINDRT_POST_SCALE, 0}),
            MINDRT_VALUE_ERROR);
  EXPECT_EQ(fails({&a, &b, &a, &c}, {1, MINDRT_POST_BIAS, 0}),
            MINDRT_VALUE_ERROR);
  EXPECT_EQ(fails({&a, &b, &a, &c}, {1, MINDRT_POST_RESIDUAL, 0}),
            MINDRT_VALUE_ERROR);
  a.strides[1] = -1;
  EXPECT_EQ(fails({&a, &b, &c}, {0}), MINDRT_VALUE_ERROR);
}

TEST_F(OneDNNTest, OtherDTypesAreTypeErrors) {
  for (int32_t dtype : {MINDRT_FLOAT16, MINDRT_BFLOAT16, MINDRT_FLOAT64}) {
    std::vector<double> data(4);
    int64_t sizes[] = {2, 2}, strides[] = {2, 1}, config[] = {0};
    MindrtMemRef memref{dtype, 2, data.data(), sizes, strides};
    const MindrtMemRef *operands[] = {&memref, &memref, &memref};
    EXPECT_EQ(mindrt_library_call("onednn.matmul", 3, operands, config, 1),
              MINDRT_TYPE_ERROR);
  }
}

TEST_F(OneDNNTest, BadConvolutionsAreRefused) {
  TestTensor x({1, 4, 5, 5}), w({6, 4, 3, 3}), y({1, 6, 5, 5}), flat({4, 5});
  const std::vector<int64_t> good{2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0};
  auto run = [&](std::vector<TestTensor *> operands,
                 std::vector<int64_t> config) {
    return callLibrary("onednn.convolution", operands, config);
  };
  EXPECT_EQ(run({&x, &w, &y}, good), 0);
  // Each change of one number: spatial rank, layouts, groups, stride, dilation,
  // padding, length.
  for (auto [position, value] : {std::pair<size_t, int64_t>{0, 4},
                                 {0, 0},
                                 {1, 2},
                                 {2, 3},
                                 {3, 0},
                                 {3, 2},
                                 {4, 0},
                                 {4, 2},
                                 {6, 0},
                                 {6, INT64_MIN},
                                 {6, INT64_MAX},
                                 {8, -1},
                                 {10, 5},
                                 {12, 1}}) {
    std::vector<int64_t> bad = good;
    bad[position] = value;
    EXPECT_EQ(run({&x, &w, &y}, bad), MINDRT_VALUE_ERROR)
        << position << " = " << value;
  }
  EXPECT_EQ(run({&flat, &w, &y}, good), MINDRT_VALUE_ERROR);
  EXPECT_EQ(run({&x, &w, &y}, {}), MINDRT_VALUE_ERROR);
  EXPECT_EQ(callLibrary("onednn.convolution_backward_data", {&y, &w, &y, &x},
                        {2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                         MINDRT_POST_RESIDUAL, 0}),
            MINDRT_VALUE_ERROR);
}

TEST_F(OneDNNTest, SteadyStateMakesNoSystemAllocation) {
  std::mt19937 random(4);
  TestTensor x({2, 14, 14, 32}), w({3, 3, 32, 32}), y({2, 14, 14, 32});
  std::vector<int64_t> config{2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0};
  auto run = [&] {
    ASSERT_EQ(callLibrary("onednn.convolution", {&x, &w, &y}, config), 0);
  };
  run();
  mindrt_allocator_reset_stats();
  for (int i = 0; i < 10; ++i)
    run();
  EXPECT_EQ(stats().system_allocations, 0);
}

TEST_F(OneDNNTest, ThreadCountMayChangeBetweenCalls) {
  std::mt19937 random(5);
  TestTensor a({64, 64}), b({64, 64}), c({64, 64});
  a.fill(random);
  b.fill(random);
  TestTensor zero({64}), none({64, 64});
  TestTensor expected = referenceMatmul(a, b, c, {0}, zero, none);
  for (int64_t threads : {1, 4, 2, 8, 1}) {
    mindrt_set_num_threads(threads);
    ASSERT_EQ(callLibrary("onednn.matmul", {&a, &b, &c}, {0}), 0);
    EXPECT_LT(maxError(c, expected), kTolerance);
  }
}
