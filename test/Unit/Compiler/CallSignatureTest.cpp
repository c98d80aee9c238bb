//===- CallSignatureTest.cpp - the text form of signatures ----------------===//
//
// A signature read back from its text is the same; other texts are refused.
//
//===----------------------------------------------------------------------===//

#include "mindir/Compiler/CallSignature.h"

#include <gtest/gtest.h>

using namespace mlir::mindir;
using mindrt::DType;

static CallSignature makeSignature() {
  CallSignature signature;
  signature.arguments.push_back({{DType::Float32, {-1, 4}}, true, true});
  signature.arguments.push_back({{DType::Bool, {}}, false, false});
  signature.results.push_back({ArrayType{DType::BFloat16, {0}}, {}, 0});
  signature.results.push_back({ArrayType{DType::Float32, {-1, 4}}, 0, {}});
  signature.results.push_back({{}, {}, {}});
  return signature;
}

TEST(CallSignature, RoundTrips) {
  std::string text = makeSignature().serialize();
  std::optional<CallSignature> parsed = CallSignature::parse(text);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->serialize(), text);
  EXPECT_EQ(parsed->arguments[0].type.describe(), "float32[?, 4]");
  EXPECT_TRUE(parsed->arguments[0].isDonated);
  EXPECT_EQ(parsed->arguments[1].type.getRank(), 0u);
  EXPECT_EQ(parsed->results[1].updates, 0u);
  EXPECT_FALSE(parsed->results[1].position);
  EXPECT_FALSE(parsed->results[2].type);
}

TEST(CallSignature, RefusesOtherTexts) {
  for (const char *text :
       {"argument", "argument float31 4", "argument float32 4y5", "other",
        "result float32 3 position=x", "result float32 3 size=1"})
    EXPECT_FALSE(CallSignature::parse(text)) << text;
}
