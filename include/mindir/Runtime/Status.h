//===- Status.h - Errors of the runtime -------------------------*- C++ -*-===//
//
// A Status carries a failure inside the runtime; `publish` turns it into the
// calling thread's last error at the C ABI, and `guarded` keeps exceptions from
// leaving it.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_RUNTIME_STATUS_H
#define MINDIR_RUNTIME_STATUS_H

#include "mindir-c/Runtime.h"

#include <exception>
#include <new>
#include <string>
#include <utility>

namespace mindrt {

enum class ErrorCode : int {
  Ok = MINDRT_OK,
  Type = MINDRT_TYPE_ERROR,
  Value = MINDRT_VALUE_ERROR,
  Index = MINDRT_INDEX_ERROR,
  Runtime = MINDRT_RUNTIME_ERROR,
  Memory = MINDRT_MEMORY_ERROR,
  Interrupt = MINDRT_INTERRUPT,
  Recursion = MINDRT_RECURSION_ERROR
};

/// Success, or a kind of failure with its text.
class [[nodiscard]] Status {
public:
  /// Success.
  Status() = default;
  static Status success() { return Status(); }
  /// A failure whose text is made as by printf. Allocation failure of the text
  /// itself leaves it empty.
  static Status error(ErrorCode code, const char *format, ...) noexcept
      __attribute__((format(printf, 2, 3)));
  /// A failure with a finished text.
  static Status fromMessage(ErrorCode code, std::string message);

  bool ok() const { return code == ErrorCode::Ok; }
  ErrorCode getCode() const { return code; }
  const std::string &getMessage() const { return message; }

private:
  ErrorCode code = ErrorCode::Ok;
  std::string message;
};

/// Records a failure as the calling thread's last error and returns its code; a
/// success records nothing and returns 0.
int publish(const Status &status) noexcept;

/// The calling thread's last error as a Status; success when there is none.
Status lastError();

/// Number of failures that the calling thread has recorded so far: by comparing
/// two readings a caller sees whether code between them failed.
uint64_t errorSerial() noexcept;

/// Runs `body`, which returns a Status, and publishes the result. Exceptions
/// become memory and runtime errors.
template <typename Body> int guarded(Body &&body) noexcept {
  try {
    return publish(std::forward<Body>(body)());
  } catch (const std::bad_alloc &) {
    return publish(Status::error(ErrorCode::Memory, "out of memory"));
  } catch (const std::exception &failure) {
    return publish(Status::error(ErrorCode::Runtime, "%s", failure.what()));
  } catch (...) {
    return publish(Status::error(ErrorCode::Runtime, "unknown C++ exception"));
  }
}

} // namespace mindrt

/// Returns from the enclosing function with the failure of `expression`, if
/// any.
#define MINDRT_TRY(expression)                                                 \
  do {                                                                         \
    ::mindrt::Status mindrtTryStatus = (expression);                           \
    if (!mindrtTryStatus.ok())                                                 \
      return mindrtTryStatus;                                                  \
  } while (false)

#endif // MINDIR_RUNTIME_STATUS_H
