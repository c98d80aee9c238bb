//===- Status.cpp - Errors of the runtime ---------------------------------===//
//
// The thread-local last error. Its text lives in a fixed array, so that "out of
// memory" can be recorded when there is none left.
//
//===----------------------------------------------------------------------===//
#include "mindir/Runtime/Status.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

using namespace mindrt;

namespace {
struct LastError {
  int code = MINDRT_OK;
  uint64_t serial = 0;
  char message[1024] = "";
};
} // namespace

static thread_local LastError tLastError;

Status Status::error(ErrorCode code, const char *format, ...) noexcept {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  Status status;
  status.code = code;
  try {
    status.message = text;
  } catch (const std::bad_alloc &) {
    // The code alone must do.
  }
  return status;
}

Status Status::fromMessage(ErrorCode code, std::string message) {
  Status status;
  status.code = code;
  status.message = std::move(message);
  return status;
}

int mindrt::publish(const Status &status) noexcept {
  if (status.ok())
    return MINDRT_OK;
  return mindrt_set_error(static_cast<int>(status.getCode()),
                          status.getMessage().c_str());
}

Status mindrt::lastError() {
  if (tLastError.code == MINDRT_OK)
    return Status::success();
  return Status::fromMessage(static_cast<ErrorCode>(tLastError.code),
                             tLastError.message);
}

uint64_t mindrt::errorSerial() noexcept { return tLastError.serial; }

int mindrt_last_error_code(void) { return tLastError.code; }

const char *mindrt_last_error_message(void) { return tLastError.message; }

int mindrt_set_error(int code, const char *message) {
  tLastError.code = code;
  ++tLastError.serial;
  // memmove: the text may be the last error's own.
  size_t length =
      message ? strnlen(message, sizeof(tLastError.message) - 1) : 0;
  std::memmove(tLastError.message, message ? message : "", length);
  tLastError.message[length] = '\0';
  return code;
}

void mindrt_clear_error(void) {
  tLastError.code = MINDRT_OK;
  tLastError.message[0] = '\0';
}
