//===- Library.cpp - Registry of library functions ------------------------===//
//
// The one uniform entry by which generated code calls libraries.
//
//===----------------------------------------------------------------------===//
#include "mindir/Runtime/Library.h"

#include <mutex>

using namespace mindrt;

static LibraryRegistry *makeRegistry() {
  auto *registry = new LibraryRegistry();
#ifdef MINDIR_ENABLE_ONEDNN
  // Names are taken only by a mistake in this library: the call reports it.
  publish(registerOneDNN(*registry));
#endif
  return registry;
}

LibraryRegistry &LibraryRegistry::get() {
  static LibraryRegistry *registry = makeRegistry();
  return *registry;
}

Status LibraryRegistry::add(std::string_view name,
                            MindrtLibraryFunction function, uint64_t dtypes) {
  std::unique_lock<std::shared_mutex> lock(mutex);
  if (entries.emplace(name, Entry{function, dtypes}).second)
    return Status::success();
  return Status::error(ErrorCode::Value,
                       "library function '%.*s' is registered already",
                       static_cast<int>(name.size()), name.data());
}

LibraryRegistry::Entry LibraryRegistry::find(std::string_view name) const {
  std::shared_lock<std::shared_mutex> lock(mutex);
  auto found = entries.find(name);
  return found == entries.end() ? Entry() : found->second;
}

int mindrt_library_register(const char *name, MindrtLibraryFunction function,
                            uint64_t dtype_mask) {
  return guarded([&]() -> Status {
    if (!name || !*name || !function)
      return Status::error(ErrorCode::Value,
                           "a library function needs a name and an address");
    return LibraryRegistry::get().add(name, function, dtype_mask);
  });
}

int mindrt_library_has(const char *name, int32_t dtype) {
  int has = 0;
  guarded([&]() -> Status {
    if (std::optional<DType> known = dtypeFromInt(dtype))
      has = (LibraryRegistry::get().find(name).dtypes & dtypeBit(*known)) != 0;
    return Status::success();
  });
  return has;
}

int mindrt_library_call(const char *name, int64_t num_operands,
                        const MindrtMemRef *const *operands,
                        const int64_t *config, int64_t num_config) {
  MindrtLibraryFunction function = nullptr;
  int code = guarded([&]() -> Status {
    function = LibraryRegistry::get().find(name).function;
    if (function)
      return Status::success();
    return Status::error(ErrorCode::Runtime,
                         "library function '%s' is not part of this build; "
                         "rebuild with its back end or compile without it",
                         name);
  });
  return code ? code : function(num_operands, operands, config, num_config);
}
