//===- Library.h - Registry of library functions ----------------*- C++ -*-===//
//
// Names under which generated code reaches libraries such as oneDNN. A back end
// that was built in registers itself when the registry is first used.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_RUNTIME_LIBRARY_H
#define MINDIR_RUNTIME_LIBRARY_H

#include "mindir/Runtime/DType.h"
#include "mindir/Runtime/Status.h"

#include <map>
#include <shared_mutex>
#include <string>
#include <string_view>

namespace mindrt {

/// Bit of a dtype in a registration's mask.
constexpr uint64_t dtypeBit(DType dtype) {
  return uint64_t(1) << static_cast<int32_t>(dtype);
}

class LibraryRegistry {
public:
  struct Entry {
    MindrtLibraryFunction function = nullptr;
    uint64_t dtypes = 0;
  };

  /// The process's registry, with the built-in back ends.
  static LibraryRegistry &get();

  /// Fails when `name` is taken.
  Status add(std::string_view name, MindrtLibraryFunction function,
             uint64_t dtypes);
  /// The entry of `name`; its function is null when there is none.
  Entry find(std::string_view name) const;

private:
  mutable std::shared_mutex mutex;
  std::map<std::string, Entry, std::less<>> entries;
};

/// Adds the oneDNN functions listed in mindir-c/Runtime.h.
Status registerOneDNN(LibraryRegistry &registry);

} // namespace mindrt

#endif // MINDIR_RUNTIME_LIBRARY_H
