//===- Pipelines.h - the road from mindir to the LLVM dialect -------------===//
//
// The phases in order, the pipeline that runs them, and the signature that a
// compiled entry has afterwards.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_PIPELINES_PIPELINES_H
#define MINDIR_PIPELINES_PIPELINES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

#include <optional>
#include <string>

namespace mlir {
class ModuleOp;
namespace mindir {

//===----------------------------------------------------------------------===//
// Signature of a compiled entry
//===----------------------------------------------------------------------===//

/// One argument of an entry, as the mindir function declared it.
struct EntryArgument {
  /// The mindir type: element types are signed, unsigned or bool as written.
  RankedTensorType type;
  /// The argument is a Parameter.
  bool isParameter = false;
  /// The compiled code may overwrite the argument's buffer.
  bool isDonated = false;
};

/// One result of an entry, as the mindir function declared it.
struct EntryResult {
  /// The mindir type; null for a token, which compiled code does not return.
  RankedTensorType type;
  /// The argument whose new value this is (`mindir.updates`).
  std::optional<unsigned> updates;
  /// Position among the descriptors that the compiled entry returns; none when the
  /// result is a token, or lies in the buffer of the donated argument it updates.
  std::optional<unsigned> position;
};

/// What a compiled entry takes and returns. The entry of C interface
/// `_mlir_ciface_<name>` takes, after a pointer to the returned descriptors (absent
/// when none is returned), one pointer to a descriptor per argument. A returned
/// buffer comes from `_mlir_memref_to_llvm_alloc` and is the caller's.
struct EntrySignature {
  std::string name;
  SmallVector<EntryArgument> arguments;
  SmallVector<EntryResult> results;

  /// The number of descriptors that the compiled entry returns.
  unsigned getNumReturned() const;

  /// Reads the signature that the pipeline recorded on the function `name` of a
  /// lowered module; fails, with an error there, when there is none.
  static FailureOr<EntrySignature> get(ModuleOp module, StringRef name);
};

//===----------------------------------------------------------------------===//
// Pipeline
//===----------------------------------------------------------------------===//

/// Where the road can be cut: `compile-to` stops after a phase, `compile-from`
/// starts after it. `libraries` names what the runtime was found to have
/// (`mindrt_library_has`); by default everything is generated.
struct CPUPipelineOptions : PassPipelineOptions<CPUPipelineOptions> {
  Option<std::string> compileFrom{
      *this, "compile-from",
      llvm::cl::desc("Start with the phase after this one (the input is its output)"),
      llvm::cl::init("")};
  Option<std::string> compileTo{
      *this, "compile-to", llvm::cl::desc("Stop after this phase"),
      llvm::cl::init("")};
  ListOption<std::string> libraries{
      *this, "libraries",
      llvm::cl::desc("Libraries to call where they have the operation, as `onednn`")};
};

/// Adds the phases that lower a mindir module to the LLVM dialect for CPUs.
/// Fails for the name of a phase that does not exist.
LogicalResult buildCPUPipeline(OpPassManager &manager,
                               const CPUPipelineOptions &options);

/// Adds the passes that turn a module with sharding annotations into the program of
/// one device, which communicates by mindir collectives. A module without annotations
/// stays as it is.
void buildParallelPipeline(OpPassManager &manager);

/// Registers `mindir-parallel-pipeline`, `mindir-cpu-pipeline` and one pipeline per phase.
void registerPipelines();

} // namespace mindir
} // namespace mlir

#endif // MINDIR_PIPELINES_PIPELINES_H
