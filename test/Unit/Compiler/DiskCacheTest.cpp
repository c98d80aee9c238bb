//===- DiskCacheTest.cpp - the cache of compiled code ---------------------===//
//
// Entries come back whole, damaged ones not at all, and the oldest go first.
//
//===----------------------------------------------------------------------===//

#include "mindir/Compiler/DiskCache.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace llvm;
using namespace mlir::mindir;

namespace {
class DiskCacheTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("mindir-cache", folder));
  }
  void TearDown() override { sys::fs::remove_directories(folder); }

  std::string getFile(StringRef key) const {
    return (folder + "/" + key + ".code").str();
  }

  SmallString<128> folder;
};
} // namespace

TEST_F(DiskCacheTest, ReadsWhatWasWritten) {
  DiskCache cache((folder + "/deep/er").str());
  EXPECT_FALSE(cache.read("k"));
  std::string object("a\0b", 3);
  ASSERT_FALSE(errorToBool(cache.write("k", "signature", object)));
  auto entry = cache.read("k");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->signature, "signature");
  EXPECT_EQ(entry->object->getBuffer(), object);
}

TEST_F(DiskCacheTest, DamagedEntriesAreRemoved) {
  DiskCache cache(folder.str().str());
  ASSERT_FALSE(errorToBool(cache.write("k", "s", "object")));
  std::error_code code;
  raw_fd_ostream(getFile("k"), code) << "MINDIRC1 and something else entirely";
  EXPECT_FALSE(cache.read("k"));
  EXPECT_FALSE(sys::fs::exists(getFile("k")));
}

TEST_F(DiskCacheTest, AFolderThatCannotBeMadeIsAnError) {
  std::error_code code;
  raw_fd_ostream((folder + "/file").str(), code) << "";
  DiskCache cache((folder + "/file/cache").str());
  EXPECT_TRUE(errorToBool(cache.write("k", "s", "object")));
  EXPECT_FALSE(cache.read("k"));
}

TEST_F(DiskCacheTest, OldEntriesGoFirst) {
  DiskCache cache(folder.str().str(), 3 * 1100);
  std::string object(1000, 'x');
  for (const char *key : {"a", "b", "c", "d", "e"})
    ASSERT_FALSE(errorToBool(cache.write(key, "s", object)));
  EXPECT_FALSE(cache.read("a"));
  EXPECT_TRUE(cache.read("e"));
}

TEST_F(DiskCacheTest, KeysAreFileNames) {
  EXPECT_EQ(DiskCache::makeKey("a").size(), 64u);
  EXPECT_NE(DiskCache::makeKey("a"), DiskCache::makeKey("b"));
}

TEST_F(DiskCacheTest, TheEnvironmentChooses) {
  setenv("MINDIR_CACHE_DIR", "/some/where", 1);
  unsetenv("MINDIR_DISABLE_CACHE");
  EXPECT_EQ(DiskCache::getDefaultDirectory(), "/some/where");
  setenv("MINDIR_DISABLE_CACHE", "1", 1);
  EXPECT_FALSE(DiskCache::getDefaultDirectory());
  setenv("MINDIR_DISABLE_CACHE", "0", 1);
  EXPECT_TRUE(DiskCache::getDefaultDirectory());
  unsetenv("MINDIR_CACHE_DIR");
  unsetenv("MINDIR_DISABLE_CACHE");
}
