//===- Phases.h - the phases of the road ----------------------------------===//
//
// Names and pipelines of the phases, in their order.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_PIPELINES_PHASES_H
#define MINDIR_PIPELINES_PHASES_H

#include "mlir/Pass/PassManager.h"

namespace mlir::mindir {

/// What the phases must know of the target.
struct PhaseOptions {
  /// Libraries to call, as `onednn`.
  SmallVector<std::string> libraries;
};

/// One stage of the road. It takes what the stage before it left.
struct Phase {
  /// As in `compile-to=<name>` and `mindir-<name>-pipeline`.
  StringLiteral name;
  /// What the phase does, for `--help`.
  StringLiteral description;
  /// Adds the passes, the contract's verifier last.
  void (*build)(OpPassManager &manager, const PhaseOptions &options);
};

/// All phases of a target CPU, first to last.
ArrayRef<Phase> getCPUPhases();

} // namespace mlir::mindir

#endif // MINDIR_PIPELINES_PHASES_H
