//===- Interrupt.h - Ctrl-C in compilations and runs ------------*- C++ -*-===//
//
// Python's own handler of SIGINT only sets a flag that the interpreter looks at,
// which it cannot while compiled code runs.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_BINDINGS_PYTHON_INTERRUPT_H
#define MINDIR_BINDINGS_PYTHON_INTERRUPT_H

#include <chrono>

namespace mlir::mindir::python {

/// Puts a handler in front of Python's that also stops compiled code, once.
void installInterruptHandler();

/// While one lives, on the main thread, Ctrl-C stops the running code.
class InterruptibleRun {
public:
  InterruptibleRun();
  ~InterruptibleRun();
  InterruptibleRun(const InterruptibleRun &) = delete;

private:
  bool isMain;
};

/// Asks the interpreter, at most every few milliseconds, whether a signal handler
/// raised; its exception then stays set. To be called without the interpreter
/// lock.
class SignalCheck {
public:
  bool operator()();

private:
  std::chrono::steady_clock::time_point next{};
  bool isRaised = false;
};

} // namespace mlir::mindir::python

#endif // MINDIR_BINDINGS_PYTHON_INTERRUPT_H
