//===- CompilerTest.cpp - compiled modules on arrays ----------------------===//
//
// The road from text to a run without Python, for the sanitizers' sake.
//
//===----------------------------------------------------------------------===//

#include "mindir/Compiler/Compiler.h"

#include <gtest/gtest.h>

using namespace mlir::mindir;
using mindrt::Array;
using mindrt::DType;

static const char *const kStep = R"(
func.func @main(%w: tensor<4xf32> {mindir.donated}, %x: tensor<?xf32>)
    -> (tensor<f32>, tensor<4xf32> {mindir.updates = 0 : i64}) {
  %0 = mindir.reduce_sum %x axes = [0] : tensor<?xf32> -> tensor<f32>
  %1 = mindir.add %w, %w : tensor<4xf32>
  return %0, %1 : tensor<f32>, tensor<4xf32>
})";

static Array makeArray(std::vector<float> values) {
  Array array;
  EXPECT_TRUE(Array::allocate(DType::Float32,
                              {static_cast<int64_t>(values.size())}, array)
                  .ok());
  std::copy(values.begin(), values.end(),
            reinterpret_cast<float *>(array.getData()));
  return array;
}

static std::vector<float> getValues(const Array &array) {
  auto *data = reinterpret_cast<const float *>(array.getData());
  return {data, data + array.getNumElements()};
}

static std::shared_ptr<Executable> compileText(const char *text,
                                               CompileOptions options = {}) {
  auto executable = compile({text, {}}, options);
  EXPECT_TRUE(bool(executable));
  if (!executable) {
    ADD_FAILURE() << llvm::toString(executable.takeError());
    return nullptr;
  }
  return *executable;
}

TEST(Compiler, RunsAndUpdatesInPlace) {
  auto executable = compileText(kStep);
  ASSERT_TRUE(executable);
  Array w = makeArray({1, 2, 3, 4}), x = makeArray({1, 2, 3});
  char *data = w.getData();
  std::vector<Array> results;
  ASSERT_TRUE(executable->run({&w, &x}, results).ok());
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(getValues(results[0]), std::vector<float>{6});
  EXPECT_FALSE(results[1]);
  EXPECT_EQ(w.getData(), data);
  EXPECT_EQ(getValues(w), (std::vector<float>{2, 4, 6, 8}));
}

TEST(Compiler, AnotherHolderSeesTheUpdate) {
  auto executable = compileText(kStep);
  ASSERT_TRUE(executable);
  Array w = makeArray({1, 2, 3, 4}), x = w, view = w;
  std::vector<Array> results;
  ASSERT_TRUE(executable->run({&w, &x}, results).ok());
  EXPECT_EQ(getValues(results[0]), std::vector<float>{10});
  EXPECT_EQ(getValues(view), (std::vector<float>{2, 4, 6, 8}));
}

TEST(Compiler, EmptyArrays) {
  auto executable = compileText(kStep);
  ASSERT_TRUE(executable);
  Array w = makeArray({1, 2, 3, 4}), x = makeArray({});
  std::vector<Array> results;
  ASSERT_TRUE(executable->run({&w, &x}, results).ok());
  EXPECT_EQ(getValues(results[0]), std::vector<float>{0});
}

TEST(Compiler, WrongArgumentsAreErrors) {
  auto executable = compileText(kStep);
  ASSERT_TRUE(executable);
  Array w = makeArray({1, 2, 3}), x = makeArray({1});
  std::vector<Array> results;
  mindrt::Status status = executable->run({&w, &x}, results);
  EXPECT_EQ(status.getCode(), mindrt::ErrorCode::Value);
  EXPECT_EQ(executable->run({&w}, results).getCode(), mindrt::ErrorCode::Type);
}

TEST(Compiler, EveryOptimizationLevel) {
  for (unsigned level : {0, 1, 2, 3}) {
    CompileOptions options;
    options.optimizationLevel = level;
    auto executable = compileText(kStep, options);
    ASSERT_TRUE(executable);
    Array w = makeArray({1, 2, 3, 4}), x = makeArray({1, 2, 3});
    std::vector<Array> results;
    EXPECT_TRUE(executable->run({&w, &x}, results).ok());
  }
}

TEST(Compiler, AnInterruptionIsAnError) {
  CompileOptions options;
  int asked = 0;
  options.isInterrupted = [&] { return ++asked > 1; };
  auto executable = compile({kStep, {}}, options);
  ASSERT_FALSE(bool(executable));
  EXPECT_EQ(llvm::errorToErrorCode(executable.takeError()),
            std::make_error_code(std::errc::interrupted));
}

TEST(Compiler, BadTextIsAnError) {
  for (const char *text : {"", "func.func @main(", "func.func @f() { return }"}) {
    auto executable = compile({text, {}}, {});
    EXPECT_FALSE(bool(executable));
    if (!executable)
      llvm::consumeError(executable.takeError());
  }
}

TEST(Compiler, ForAnotherProcessor) {
  ObjectOptions options;
  options.triple = "aarch64-unknown-linux-gnu";
  options.cpu = "generic";
  auto compiled = compileObject({kStep, {}}, options);
  ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
  EXPECT_TRUE(compiled->object->getBuffer().starts_with("\x7f"
                                                        "ELF"));
  options.triple = "nonsense";
  auto refused = compileObject({kStep, {}}, options);
  ASSERT_FALSE(bool(refused));
  EXPECT_NE(llvm::toString(refused.takeError()).find("nonsense"),
            std::string::npos);
}
