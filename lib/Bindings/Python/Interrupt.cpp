//===- Interrupt.cpp - Ctrl-C in compilations and runs --------------------===//
//
// The handler does nothing but set the runtime's flag, while the main thread is
// inside compiled code, and call the one it replaced.
//
//===----------------------------------------------------------------------===//
#include "Interrupt.h"

#include "mindir-c/Runtime.h"

#include <pybind11/pybind11.h>

#include <atomic>
#include <csignal>
#include <pthread.h>
#include <signal.h>

namespace py = pybind11;
using namespace mlir::mindir::python;

static struct sigaction previousAction;
static pthread_t mainThread;
static std::atomic<int> runs{0};

static void handleInterrupt(int number, siginfo_t *info, void *context) {
  if (runs.load(std::memory_order_relaxed) > 0)
    mindrt_request_interrupt();
  if (previousAction.sa_flags & SA_SIGINFO)
    previousAction.sa_sigaction(number, info, context);
  else if (previousAction.sa_handler != SIG_DFL &&
           previousAction.sa_handler != SIG_IGN)
    previousAction.sa_handler(number);
}

void mlir::mindir::python::installInterruptHandler() {
  mainThread = pthread_self();
  py::module_ threading = py::module_::import("threading");
  bool isMain =
      threading.attr("current_thread")().is(threading.attr("main_thread")());
  if (!isMain || sigaction(SIGINT, nullptr, &previousAction) != 0)
    return;
  // Nothing to chain to: Python does not handle the signal.
  if (!(previousAction.sa_flags & SA_SIGINFO) &&
      (previousAction.sa_handler == SIG_DFL ||
       previousAction.sa_handler == SIG_IGN))
    return;
  struct sigaction action = previousAction;
  action.sa_flags |= SA_SIGINFO;
  action.sa_sigaction = handleInterrupt;
  sigaction(SIGINT, &action, nullptr);
}

InterruptibleRun::InterruptibleRun()
    : isMain(pthread_equal(pthread_self(), mainThread)) {
  if (isMain)
    runs.fetch_add(1, std::memory_order_relaxed);
}

InterruptibleRun::~InterruptibleRun() {
  if (!isMain)
    return;
  if (runs.fetch_sub(1, std::memory_order_relaxed) == 1)
    mindrt_clear_interrupt();
}

bool SignalCheck::operator()() {
  if (isRaised)
    return true;
  auto now = std::chrono::steady_clock::now();
  if (now < next)
    return false;
  next = now + std::chrono::milliseconds(20);
  py::gil_scoped_acquire lock;
  isRaised = PyErr_CheckSignals() != 0;
  return isRaised;
}
