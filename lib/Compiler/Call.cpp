//===- Call.cpp - one call of compiled code -------------------------------===//
//
// Ownership rules: arguments are borrowed; returned buffers become the caller's;
// an argument is overwritten in place only when nothing else holds its bytes.
//
//===----------------------------------------------------------------------===//

#include "Call.h"

#include "mindir/Runtime/MemRef.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::mindir;
using mindrt::Array;
using mindrt::ErrorCode;
using mindrt::Status;

/// Generated code may use aligned vector accesses.
static constexpr uintptr_t kAlignment = 64;

Call::~Call() {
  for (const Lock &lock : locks)
    if (lock.isExclusive)
      lock.buffer->getMutex().unlock();
    else
      lock.buffer->getMutex().unlock_shared();
}

//===----------------------------------------------------------------------===//
// Before the run
//===----------------------------------------------------------------------===//

static bool hasSizes(const ArrayType &type, const Array &array) {
  return llvm::equal(type.sizes, array.getSizes(),
                     [](int64_t expected, int64_t found) {
                       return expected == ArrayType::kUnknownSize ||
                              expected == found;
                     });
}

Status Call::checkArguments() const {
  if (arguments.size() != signature.arguments.size())
    return Status::error(ErrorCode::Type, "expected %zu arrays, found %zu",
                         signature.arguments.size(), arguments.size());
  for (auto [i, array] : llvm::enumerate(arguments)) {
    const ArrayType &type = signature.arguments[i].type;
    bool isTypeError = type.dtype != array->getDType();
    if (isTypeError || !hasSizes(type, *array))
      return Status::error(isTypeError ? ErrorCode::Type : ErrorCode::Value,
                           "expected an array of type %s as argument %zu, "
                           "found %s",
                           type.describe().c_str(), i,
                           mindrt::describeType(array->getMemRef()).c_str());
  }
  return Status::success();
}

/// Locks each buffer once, in the order of addresses so that calls do not wait
/// for each other in a circle.
void Call::acquireLocks() {
  for (auto [array, updated] : llvm::zip_equal(arguments, isUpdated))
    locks.push_back({array->getBuffer().get(), updated, 1});
  llvm::sort(locks, [](const Lock &a, const Lock &b) {
    return std::less<>()(a.buffer, b.buffer);
  });
  size_t count = 0;
  for (const Lock &lock : locks) {
    if (count && locks[count - 1].buffer == lock.buffer) {
      locks[count - 1].isExclusive |= lock.isExclusive;
      ++locks[count - 1].uses;
    } else {
      locks[count++] = lock;
    }
  }
  locks.truncate(count);
  for (const Lock &lock : locks)
    if (lock.isExclusive)
      lock.buffer->getMutex().lock();
    else
      lock.buffer->getMutex().lock_shared();
}

const Call::Lock &Call::getLock(const Array &array) const {
  return *llvm::lower_bound(locks, array.getBuffer().get(),
                            [](const Lock &lock, const mindrt::Buffer *buffer) {
                              return std::less<>()(lock.buffer, buffer);
                            });
}

bool Call::mustCopy(unsigned index) const {
  const Array &array = *arguments[index];
  bool isMisaligned =
      reinterpret_cast<uintptr_t>(array.getData()) % kAlignment != 0;
  if (!array.isContiguous() || (isMisaligned && array.getNumElements() != 0))
    return true;
  if (!signature.arguments[index].isDonated)
    return false;
  return !isUpdated[index] || !array.isSoleHolder() ||
         getLock(array).uses != 1;
}

Status Call::prepare() {
  MINDRT_TRY(checkArguments());
  isUpdated.assign(arguments.size(), false);
  for (const CallResult &result : signature.results)
    if (result.updates)
      isUpdated[*result.updates] = true;
  acquireLocks();
  copies.resize(arguments.size());
  for (unsigned i = 0; i < arguments.size(); ++i)
    if (mustCopy(i))
      MINDRT_TRY(arguments[i]->copy(copies[i]));
  layOutDescriptors();
  return Status::success();
}

/// Writes the descriptor of a dense array; gives the word behind it.
int64_t *Call::layOut(const Array &array, int64_t *next) {
  auto address = reinterpret_cast<int64_t>(array.getData());
  *next++ = address;
  *next++ = address;
  *next++ = 0;
  next = std::copy(array.getSizes().begin(), array.getSizes().end(), next);
  int64_t stride = 1;
  for (size_t d = array.getSizes().size(); d-- > 0;) {
    next[d] = stride;
    stride *= array.getSizes()[d];
  }
  return next + array.getRank();
}

void Call::layOutDescriptors() {
  auto wordsOf = [](const ArrayType &type) { return 3 + 2 * type.getRank(); };
  size_t total = 0;
  llvm::SmallVector<const ArrayType *, 4> types;
  for (const CallResult &result : signature.results)
    if (result.position) {
      types.resize(std::max<size_t>(types.size(), *result.position + 1));
      types[*result.position] = &*result.type;
      total += wordsOf(*result.type);
    }
  for (const CallArgument &argument : signature.arguments)
    total += wordsOf(argument.type);
  words.assign(total, 0);
  int64_t *next = words.data();
  if (!types.empty())
    pointers.push_back(next);
  for (const ArrayType *type : types) {
    returned.push_back(next);
    next += wordsOf(*type);
  }
  for (auto [array, copy] : llvm::zip_equal(arguments, copies)) {
    pointers.push_back(next);
    next = layOut(copy ? copy : *array, next);
  }
}

//===----------------------------------------------------------------------===//
// After the run
//===----------------------------------------------------------------------===//

/// Whether a returned buffer is an argument's, a constant's (marked so by the
/// lowering of globals), or that of another result.
bool Call::isBorrowed(const void *allocated) const {
  if (reinterpret_cast<uintptr_t>(allocated) == 0xdeadbeef ||
      llvm::is_contained(adopted, allocated))
    return true;
  for (auto [array, copy] : llvm::zip_equal(arguments, copies))
    if ((copy ? copy : *array).getData() == allocated)
      return true;
  return false;
}

Status Call::takeReturned(const CallResult &result, Array &array) {
  const int64_t *words = returned[*result.position];
  auto *allocated = reinterpret_cast<void *>(words[0]);
  auto *aligned = reinterpret_cast<char *>(words[1]) +
                  words[2] * mindrt::dtypeSize(result.type->dtype);
  const int64_t *sizes = words + 3;
  size_t rank = result.type->getRank();
  MindrtMemRef memref = {static_cast<int32_t>(result.type->dtype),
                         static_cast<int32_t>(rank), aligned, sizes,
                         sizes + rank};
  Array::Sizes shape(sizes, sizes + rank);
  if (isBorrowed(allocated) || aligned != allocated) {
    MINDRT_TRY(Array::allocate(result.type->dtype, std::move(shape), array));
    mindrt::copyElements(memref, array.getMemRef());
    if (!isBorrowed(allocated))
      mindrt_free(allocated);
    return Status::success();
  }
  int64_t bytes = 0;
  MINDRT_TRY(mindrt::checkMemRef(memref, bytes));
  auto storage =
      mindrt::StorageRef::adopt(mindrt_storage_adopt(allocated, bytes));
  if (!storage)
    return mindrt::lastError();
  adopted.push_back(allocated);
  Array::Sizes strides = mindrt::denseStrides(shape);
  return Array::create(std::make_shared<mindrt::Buffer>(std::move(storage)),
                       result.type->dtype, std::move(shape), std::move(strides),
                       0, array);
}

/// Brings an update into its argument's own buffer, unless it was made there.
Status Call::writeUpdate(const CallResult &result, const Array &value) {
  unsigned index = *result.updates;
  Array &argument = *arguments[index];
  if (result.position)
    return argument.assign(value);
  if (copies[index])
    return argument.assign(copies[index]);
  argument.getBuffer()->bumpVersion();
  return Status::success();
}

Status Call::finish(std::vector<Array> &results) {
  llvm::SmallVector<Array, 8> values(signature.results.size());
  Status status;
  // All buffers are taken over, also behind one that fails.
  for (auto [result, value] : llvm::zip_equal(signature.results, values)) {
    if (!result.position)
      continue;
    Status taken = takeReturned(result, value);
    if (status.ok())
      status = taken;
  }
  if (!status.ok())
    return status;
  results.clear();
  for (auto [result, value] : llvm::zip_equal(signature.results, values)) {
    if (result.updates)
      MINDRT_TRY(writeUpdate(result, value));
    results.push_back(result.updates ? Array() : std::move(value));
  }
  return Status::success();
}
