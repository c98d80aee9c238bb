//===- CoreTest.cpp - Errors, dtypes, storage, random bits ------*- C++ -*-===//
//
// The small parts of the runtime.
//
//===----------------------------------------------------------------------===//
#include "RuntimeTest.h"

#include "mindir/Runtime/Library.h"
#include "mindir/Runtime/Random.h"
#include "mindir/Runtime/Status.h"
#include "mindir/Runtime/Storage.h"

#include <cstring>
#include <stdexcept>

using namespace mindrt;

namespace {
using StatusTest = RuntimeTest;
using DTypeTest = RuntimeTest;
using StorageTest = RuntimeTest;
using RandomTest = RuntimeTest;
using LibraryTest = RuntimeTest;
} // namespace

extern "C" int runtime_test_from_c(void);

TEST_F(StatusTest, TheHeaderIsC) { EXPECT_EQ(runtime_test_from_c(), 6); }

TEST_F(StatusTest, LastErrorIsPerThread) {
  EXPECT_EQ(mindrt_set_error(MINDRT_INDEX_ERROR, "too far"),
            MINDRT_INDEX_ERROR);
  onThreads(1, [](int) { EXPECT_EQ(mindrt_last_error_code(), MINDRT_OK); });
  EXPECT_STREQ(mindrt_last_error_message(), "too far");
  mindrt_set_error(MINDRT_TYPE_ERROR, mindrt_last_error_message());
  EXPECT_STREQ(mindrt_last_error_message(), "too far");
  mindrt_set_error(MINDRT_TYPE_ERROR, nullptr);
  EXPECT_STREQ(mindrt_last_error_message(), "");
  mindrt_clear_error();
  EXPECT_EQ(mindrt_last_error_code(), MINDRT_OK);
}

TEST_F(StatusTest, ExceptionsBecomeErrors) {
  EXPECT_EQ(guarded([]() -> Status { throw std::bad_alloc(); }),
            MINDRT_MEMORY_ERROR);
  EXPECT_EQ(guarded([]() -> Status { throw std::logic_error("why"); }),
            MINDRT_RUNTIME_ERROR);
  EXPECT_STREQ(mindrt_last_error_message(), "why");
  EXPECT_EQ(guarded([]() -> Status { throw 1; }), MINDRT_RUNTIME_ERROR);
}

TEST_F(StatusTest, LongTextsAreCut) {
  std::string text(5000, 'x');
  mindrt_set_error(MINDRT_VALUE_ERROR, text.c_str());
  EXPECT_EQ(std::strlen(mindrt_last_error_message()), 1023u);
}

TEST_F(DTypeTest, NamesAndSizes) {
  for (int32_t i = 0; i <= MINDRT_FLOAT64; ++i) {
    EXPECT_EQ(mindrt_dtype_from_name(mindrt_dtype_name(i)), i);
    EXPECT_GE(mindrt_dtype_size(i), 1);
  }
  EXPECT_STREQ(mindrt_dtype_name(MINDRT_BFLOAT16), "bfloat16");
  EXPECT_EQ(mindrt_dtype_size(MINDRT_BFLOAT16), 2);
  EXPECT_EQ(mindrt_dtype_size(MINDRT_UINT64), 8);
}

TEST_F(DTypeTest, UnknownOnesAreTypeErrors) {
  EXPECT_EQ(mindrt_dtype_size(13), 0);
  EXPECT_EQ(mindrt_last_error_code(), MINDRT_TYPE_ERROR);
  mindrt_clear_error();
  EXPECT_EQ(mindrt_dtype_name(-1), nullptr);
  EXPECT_EQ(mindrt_last_error_code(), MINDRT_TYPE_ERROR);
  mindrt_clear_error();
  EXPECT_EQ(mindrt_dtype_from_name("complex64"), -1);
  EXPECT_EQ(mindrt_dtype_from_name(nullptr), -1);
  EXPECT_EQ(mindrt_last_error_code(), MINDRT_TYPE_ERROR);
}

TEST_F(StorageTest, CountsReferences) {
  StorageRef first = StorageRef::allocate(100);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->getBytes(), 100);
  {
    StorageRef second = first;
    EXPECT_EQ(first->getUseCount(), 2);
    StorageRef third = std::move(second);
    EXPECT_EQ(first->getUseCount(), 2);
  }
  EXPECT_EQ(mindrt_storage_use_count(first.get()), 1);
  StorageRef empty;
  first = empty;
  EXPECT_FALSE(first);
  mindrt_storage_release(nullptr);
}

TEST_F(StorageTest, WrapsForeignMemory) {
  int data[4] = {1, 2, 3, 4};
  int deleted = 0;
  MindrtStorage *storage = mindrt_storage_wrap(
      data, sizeof(data),
      [](void *pointer, void *context) {
        EXPECT_EQ(static_cast<int *>(pointer)[3], 4);
        ++*static_cast<int *>(context);
      },
      &deleted);
  EXPECT_EQ(mindrt_storage_data(storage), data);
  EXPECT_EQ(mindrt_storage_bytes(storage), 16);
  mindrt_storage_retain(storage);
  mindrt_storage_release(storage);
  EXPECT_EQ(deleted, 0);
  mindrt_storage_release(storage);
  EXPECT_EQ(deleted, 1);
  EXPECT_EQ(mindrt_storage_wrap(data, -1, nullptr, nullptr), nullptr);
}

TEST_F(StorageTest, AdoptsResultsOfGeneratedCode) {
  void *block = mindrt_alloc(64);
  EXPECT_EQ(mindrt_storage_adopt(block, 65), nullptr);
  EXPECT_EQ(mindrt_last_error_code(), MINDRT_VALUE_ERROR);
  EXPECT_EQ(mindrt_storage_adopt(nullptr, 0), nullptr);
  StorageRef storage = StorageRef::adopt(mindrt_storage_adopt(block, 64));
  EXPECT_EQ(storage->getData(), block);
}

TEST_F(StorageTest, LastReleaseOnAnyThread) {
  StorageRef storage = StorageRef::allocate(1000);
  onThreads(8, [storage](int) {
    for (int i = 0; i < 1000; ++i)
      StorageRef copy = storage;
  });
  EXPECT_EQ(storage->getUseCount(), 1);
}

/// Known answers of the Random123 distribution (kat_vectors).
TEST_F(RandomTest, KnownAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox4x32({ones, ones, ones, ones}, {ones, ones}),
            (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                       {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST_F(RandomTest, SplitsAndThreadsDoNotMatter) {
  constexpr int64_t n = 200001;
  std::vector<uint32_t> whole(n), parts(n);
  mindrt_set_num_threads(1);
  ASSERT_EQ(mindrt_random_bits(42, 7, whole.data(), n), 0);
  mindrt_set_num_threads(5);
  for (int64_t lo = 0, step = 1; lo < n; lo += step, step = step * 3 + 1)
    ASSERT_EQ(mindrt_random_bits(42, static_cast<uint64_t>(7 + lo),
                                 parts.data() + lo, std::min(step, n - lo)),
              0);
  EXPECT_EQ(whole, parts);
  for (uint64_t i = 0; i < n; i += i < 300 ? 1 : 997)
    ASSERT_EQ(whole[i], philoxBlock(42, (7 + i) / 4)[(7 + i) % 4]);
}

TEST_F(RandomTest, CounterCarriesAndWraps) {
  for (uint64_t first : {uint64_t(0xfffffffd), ~uint64_t(0) / 4 - 20}) {
    uint32_t words[128];
    ASSERT_EQ(mindrt_random_bits(8, first * 4, words, 128), 0);
    for (uint64_t i = 0; i < 128; ++i)
      EXPECT_EQ(words[i],
                philoxBlock(8, (first * 4 + i) / 4)[(first * 4 + i) % 4]);
  }
}

TEST_F(RandomTest, OffsetsBeyond32Bits) {
  uint32_t words[3];
  uint64_t offset = (uint64_t(5) << 34) + 3;
  ASSERT_EQ(mindrt_random_bits(uint64_t(9) << 32 | 1, offset, words, 3), 0);
  PhiloxCounter next = philox4x32({1, 5, 0, 0}, {1, 9});
  EXPECT_EQ(words[0], philox4x32({0, 5, 0, 0}, {1, 9})[3]);
  EXPECT_EQ(words[1], next[0]);
  EXPECT_EQ(words[2], next[1]);
  EXPECT_EQ(mindrt_random_bits(1, 0, nullptr, 0), 0);
  EXPECT_EQ(mindrt_random_bits(1, 0, nullptr, -1), MINDRT_VALUE_ERROR);
}

TEST_F(LibraryTest, RegistersByNameAndDType) {
  auto sum = [](int64_t count, const MindrtMemRef *const *,
                const int64_t *config, int64_t n) -> int {
    return static_cast<int>(count + config[n - 1]);
  };
  ASSERT_EQ(mindrt_library_register("test.sum", sum, dtypeBit(DType::Int32)),
            0);
  EXPECT_EQ(mindrt_library_register("test.sum", sum, 0), MINDRT_VALUE_ERROR);
  EXPECT_EQ(mindrt_library_register("", sum, 0), MINDRT_VALUE_ERROR);
  EXPECT_EQ(mindrt_library_has("test.sum", MINDRT_INT32), 1);
  EXPECT_EQ(mindrt_library_has("test.sum", MINDRT_INT64), 0);
  EXPECT_EQ(mindrt_library_has("test.sum", 99), 0);
  EXPECT_EQ(mindrt_library_has("test.other", MINDRT_INT32), 0);
  int64_t config[] = {40};
  EXPECT_EQ(mindrt_library_call("test.sum", 2, nullptr, config, 1), 42);
  EXPECT_EQ(mindrt_library_call("test.other", 0, nullptr, nullptr, 0),
            MINDRT_RUNTIME_ERROR);
}
