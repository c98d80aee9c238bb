//===- Pipelines.cpp - registration of pipelines --------------------------===//
//
// Builds the whole road for CPUs, cut where asked, and registers each phase.
//
//===----------------------------------------------------------------------===//

#include "mindir/Pipelines/Pipelines.h"

#include "mindir/Pipelines/Phases.h"

#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mlir::mindir;

/// The position of the phase `name`; `otherwise` for the empty name.
static FailureOr<size_t> findPhase(StringRef name, size_t otherwise) {
  if (name.empty())
    return otherwise;
  ArrayRef<Phase> phases = getCPUPhases();
  for (size_t index = 0; index < phases.size(); ++index)
    if (phases[index].name == name)
      return index;
  llvm::errs() << "error: expected a phase (";
  llvm::interleaveComma(phases, llvm::errs(),
                        [](const Phase &phase) { llvm::errs() << phase.name; });
  llvm::errs() << "), found '" << name << "'\n";
  return failure();
}

LogicalResult
mlir::mindir::buildCPUPipeline(OpPassManager &manager,
                               const CPUPipelineOptions &options) {
  ArrayRef<Phase> phases = getCPUPhases();
  FailureOr<size_t> last = findPhase(options.compileTo, phases.size() - 1);
  FailureOr<size_t> done = findPhase(options.compileFrom, phases.size());
  if (failed(last) || failed(done))
    return failure();
  PhaseOptions phaseOptions;
  phaseOptions.libraries.assign(options.libraries.begin(),
                                options.libraries.end());
  size_t first = options.compileFrom.empty() ? 0 : *done + 1;
  for (size_t index = first; index <= *last; ++index)
    phases[index].build(manager, phaseOptions);
  return success();
}

void mlir::mindir::registerPipelines() {
  // Names must live as long as the registry.
  static SmallVector<std::string> names;
  for (const Phase &phase : getCPUPhases())
    names.push_back(("mindir-" + phase.name + "-pipeline").str());
  for (auto [phase, name] : llvm::zip(getCPUPhases(), names))
    PassPipelineRegistration<>(name, phase.description,
                               [build = phase.build](OpPassManager &manager) {
                                 build(manager, PhaseOptions());
                               });
  PassPipelineRegistration<>(
      "mindir-parallel-pipeline",
      "Partitions an annotated module, down to mindir collectives",
      buildParallelPipeline);
  registerPassPipeline(
      "mindir-cpu-pipeline", "Lowers a mindir module to the LLVM dialect for CPUs",
      [](OpPassManager &manager, StringRef text,
         function_ref<LogicalResult(const Twine &)> error) -> LogicalResult {
        CPUPipelineOptions options;
        if (failed(options.parseFromString(text)))
          return error("expected compile-from=<phase> or compile-to=<phase>");
        return buildCPUPipeline(manager, options);
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> visit) {
        visit(CPUPipelineOptions());
      });
}
