//===- DiskCache.cpp - compiled code kept on disk -------------------------===//
//
// An entry is a header (magic, lengths, checksum), the signature, the object.
//
//===----------------------------------------------------------------------===//

#include "mindir/Compiler/DiskCache.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <cstdlib>
#include <vector>

using namespace llvm;
using namespace mlir::mindir;

namespace {
struct Header {
  char magic[8];
  uint64_t signatureBytes, objectBytes, checksum;
};
} // namespace

static constexpr char kMagic[8] = {'M', 'I', 'N', 'D', 'I', 'R', 'C', '1'};
static constexpr StringLiteral kSuffix = ".code";

std::optional<std::string> DiskCache::getDefaultDirectory() {
  const char *disabled = std::getenv("MINDIR_DISABLE_CACHE");
  if (disabled && *disabled && StringRef(disabled) != "0")
    return std::nullopt;
  if (const char *named = std::getenv("MINDIR_CACHE_DIR"); named && *named)
    return std::string(named);
  SmallString<128> path;
  if (!sys::path::cache_directory(path))
    return std::nullopt;
  sys::path::append(path, "mindir");
  return path.str().str();
}

std::string DiskCache::makeKey(StringRef description) {
  auto digest = SHA256::hash(arrayRefFromStringRef(description));
  return toHex(digest, /*LowerCase=*/true);
}

std::string DiskCache::getPath(StringRef key) const {
  SmallString<128> path(directory);
  sys::path::append(path, key + kSuffix);
  return path.str().str();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The header of a file whose lengths and checksum are right.
static std::optional<Header> checkEntry(StringRef bytes) {
  Header header;
  if (bytes.size() < sizeof(header))
    return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof(header));
  StringRef payload = bytes.drop_front(sizeof(header));
  if (std::memcmp(header.magic, kMagic, sizeof(kMagic)) != 0 ||
      header.signatureBytes > payload.size() ||
      header.objectBytes != payload.size() - header.signatureBytes ||
      header.checksum != xxh3_64bits(arrayRefFromStringRef(payload)))
    return std::nullopt;
  return header;
}

/// Files that were used lately are evicted last.
static void touch(const std::string &path) {
  int descriptor = 0;
  if (sys::fs::openFileForWrite(path, descriptor, sys::fs::CD_OpenExisting,
                                sys::fs::OF_Append))
    return;
  (void)sys::fs::setLastAccessAndModificationTime(
      descriptor, std::chrono::system_clock::now());
  sys::fs::file_t file = sys::fs::convertFDToNativeFile(descriptor);
  (void)sys::fs::closeFile(file);
}

std::optional<DiskCache::Entry> DiskCache::read(StringRef key) const {
  std::string path = getPath(key);
  auto file = MemoryBuffer::getFile(path, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  if (!file)
    return std::nullopt;
  StringRef bytes = (*file)->getBuffer();
  std::optional<Header> header = checkEntry(bytes);
  if (!header) {
    (void)sys::fs::remove(path);
    return std::nullopt;
  }
  touch(path);
  StringRef payload = bytes.drop_front(sizeof(Header));
  return Entry{payload.take_front(header->signatureBytes).str(),
               MemoryBuffer::getMemBufferCopy(
                   payload.drop_front(header->signatureBytes), path)};
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

Error DiskCache::write(StringRef key, StringRef signature,
                       StringRef object) const {
  if (std::error_code code = sys::fs::create_directories(directory))
    return createFileError(directory, code);
  std::string payload = (signature + object).str();
  Header header;
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  header.signatureBytes = signature.size();
  header.objectBytes = object.size();
  header.checksum = xxh3_64bits(arrayRefFromStringRef(payload));
  // Renamed into place, so that no reader sees half an entry.
  SmallString<128> temporary;
  int descriptor = 0;
  if (std::error_code code = sys::fs::createUniqueFile(
          directory + "/%%%%%%%%.tmp", descriptor, temporary))
    return createFileError(directory, code);
  raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
  stream.write(reinterpret_cast<const char *>(&header), sizeof(header));
  stream << payload;
  stream.close();
  std::error_code code = stream.error();
  stream.clear_error();
  if (!code)
    code = sys::fs::rename(temporary, getPath(key));
  if (code) {
    (void)sys::fs::remove(temporary);
    return createFileError(directory, code);
  }
  evict();
  return Error::success();
}

/// Removes the entries that were not used for longest, until the rest fits.
void DiskCache::evict() const {
  struct File {
    sys::TimePoint<> time;
    uint64_t bytes;
    std::string path;
  };
  std::vector<File> files;
  uint64_t total = 0;
  std::error_code code;
  for (sys::fs::directory_iterator it(directory, code), end;
       !code && it != end; it.increment(code)) {
    auto status = it->status();
    if (!status || !StringRef(it->path()).ends_with(kSuffix))
      continue;
    files.push_back({status->getLastModificationTime(), status->getSize(),
                     it->path()});
    total += status->getSize();
  }
  if (total <= maxBytes)
    return;
  sort(files, [](const File &a, const File &b) { return a.time < b.time; });
  for (const File &file : files) {
    if (total <= maxBytes)
      return;
    if (!sys::fs::remove(file.path))
      total -= file.bytes;
  }
}
