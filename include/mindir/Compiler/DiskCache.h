//===- DiskCache.h - compiled code kept on disk ---------------------------===//
//
// A folder of files, one per compilation, named by a hash of all that the code
// depends on. Entries are written whole or not at all, and checked when read;
// the oldest are removed beyond a total size.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_COMPILER_DISKCACHE_H
#define MINDIR_COMPILER_DISKCACHE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <optional>
#include <string>

namespace mlir::mindir {

class DiskCache {
public:
  static constexpr uint64_t kDefaultBytes = uint64_t(1) << 30;

  struct Entry {
    std::string signature;
    std::unique_ptr<llvm::MemoryBuffer> object;
  };

  /// A cache in `directory`, which is made when first written to.
  explicit DiskCache(std::string directory, uint64_t maxBytes = kDefaultBytes)
      : directory(std::move(directory)), maxBytes(maxBytes) {}

  /// The folder that the environment names: MINDIR_CACHE_DIR, else
  /// ~/.cache/mindir; none with MINDIR_DISABLE_CACHE set.
  static std::optional<std::string> getDefaultDirectory();
  /// A file name for what `description` says the code depends on.
  static std::string makeKey(llvm::StringRef description);

  /// The entry of `key`; none when it is absent or damaged. Marks it as used.
  std::optional<Entry> read(llvm::StringRef key) const;
  /// Adds an entry; fails when the folder cannot be written.
  llvm::Error write(llvm::StringRef key, llvm::StringRef signature,
                    llvm::StringRef object) const;

private:
  std::string getPath(llvm::StringRef key) const;
  void evict() const;

  std::string directory;
  uint64_t maxBytes;
};

} // namespace mlir::mindir

#endif // MINDIR_COMPILER_DISKCACHE_H
