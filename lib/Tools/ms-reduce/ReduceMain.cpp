//===- ReduceMain.cpp - the driver of ms-reduce ---------------------------===//
//
// Tries one small step after another on a copy of the module, and keeps those after
// which the script still finds it interesting, until none is left. Upstream's
// reduction tree crashes in LLVM 22.1, also on its own dialects.
//
//===----------------------------------------------------------------------===//

#include "mindir/Tools/ReduceMain.h"

#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::mindir;

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// What may stand for a result of an op that is taken out: an operand or an argument
/// around it of its type, else a constant of zeros; null if there is none.
static Value findSubstitute(OpResult result, OpBuilder &builder) {
  SmallVector<Value> candidates(result.getOwner()->getOperands());
  for (Block *block = result.getOwner()->getBlock(); block;
       block = block->getParentOp()->getBlock())
    llvm::append_range(candidates, block->getArguments());
  for (Value candidate : candidates)
    if (candidate.getType() == result.getType())
      return candidate;
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (!type || !type.hasStaticShape() || !type.getElementType().isIntOrFloat() ||
      isa<ConstantOp>(result.getOwner()))
    return {};
  return ConstantOp::create(
      builder, result.getLoc(),
      cast<ElementsAttr>(builder.getZeroAttr(type)));
}

/// Takes an op out of its block; fails, having changed nothing that counts, if its
/// results are needed.
static LogicalResult takeOut(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() || !op->getBlock())
    return failure();
  if (auto symbol = dyn_cast<SymbolOpInterface>(op))
    if (!SymbolTable::symbolKnownUseEmpty(op, op->getParentOp()))
      return failure();
  OpBuilder builder(op);
  for (OpResult result : op->getResults()) {
    if (result.use_empty())
      continue;
    Value substitute = findSubstitute(result, builder);
    if (!substitute)
      return failure();
    result.replaceAllUsesWith(substitute);
  }
  op->erase();
  return success();
}

/// Takes out op `number` of the module, in the order of a walk from the end.
static LogicalResult takeStep(ModuleOp module, size_t number) {
  SmallVector<Operation *> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != module)
      ops.push_back(op);
  });
  if (number >= ops.size() || failed(takeOut(ops[ops.size() - 1 - number])))
    return failure();
  return verify(module);
}

static size_t countOps(ModuleOp module) {
  size_t count = 0;
  module.walk([&](Operation *) { ++count; });
  return count - 1;
}

//===----------------------------------------------------------------------===//
// Interest
//===----------------------------------------------------------------------===//

/// Whether the script ends with status 1 on the module, as upstream's convention is.
static FailureOr<bool> isInteresting(ModuleOp module, StringRef script) {
  SmallString<128> path;
  int descriptor;
  if (std::error_code code = llvm::sys::fs::createTemporaryFile(
          "ms-reduce", "mlir", descriptor, path))
    return module.emitError("cannot make a file for the script: ") << code.message();
  llvm::FileRemover remover(path);
  llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  module.print(os);
  os.close();
  std::string message;
  int status = llvm::sys::ExecuteAndWait(script, {script, path}, std::nullopt, {},
                                         /*SecondsToWait=*/0, /*MemoryLimit=*/0,
                                         &message);
  if (status < 0)
    return module.emitError("cannot run '") << script << "': " << message;
  return status == 1;
}

static FailureOr<OwningOpRef<ModuleOp>> reduce(OwningOpRef<ModuleOp> module,
                                               StringRef script) {
  FailureOr<bool> interest = isInteresting(*module, script);
  if (failed(interest))
    return failure();
  if (!*interest)
    return module->emitError("expected a module that the script finds interesting "
                             "(exit status 1)");
  // After a step that is kept, the same number names the next op.
  for (bool hasChanged = true; std::exchange(hasChanged, false);)
    for (size_t number = 0; number < countOps(*module);) {
      OwningOpRef<ModuleOp> smaller(module->clone());
      interest = succeeded(takeStep(*smaller, number))
                     ? isInteresting(*smaller, script)
                     : FailureOr<bool>(false);
      if (failed(interest))
        return failure();
      if (!*interest || countOps(*smaller) > countOps(*module)) {
        ++number;
        continue;
      }
      // Constants for results may leave the number of ops as it was.
      hasChanged |= countOps(*smaller) < countOps(*module);
      number += countOps(*smaller) == countOps(*module);
      module = std::move(smaller);
    }
  return module;
}

//===----------------------------------------------------------------------===//
// Command line
//===----------------------------------------------------------------------===//

LogicalResult mindir::reduceMain(int argc, char **argv, DialectRegistry &registry) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::OptionCategory category("ms-reduce options");
  llvm::cl::opt<std::string> file(llvm::cl::Positional, llvm::cl::init("-"),
                                  llvm::cl::desc("<input file>"),
                                  llvm::cl::cat(category));
  llvm::cl::opt<std::string> script(
      "test", llvm::cl::Required, llvm::cl::cat(category),
      llvm::cl::desc("Program that takes a file name and ends with status 1 if the "
                     "module in it is interesting"));
  llvm::cl::opt<std::string> outputName("o", llvm::cl::init("-"),
                                        llvm::cl::desc("Output file"),
                                        llvm::cl::cat(category));
  llvm::cl::HideUnrelatedOptions(category);
  llvm::cl::ParseCommandLineOptions(argc, argv, "Reduces a MindIR module\n");
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  auto module = parseSourceFile<ModuleOp>(file, sources, &context);
  if (!module)
    return failure();
  FailureOr<OwningOpRef<ModuleOp>> reduced = reduce(std::move(module), script);
  if (failed(reduced))
    return failure();
  std::error_code code;
  llvm::ToolOutputFile output(outputName, code, llvm::sys::fs::OF_None);
  if (code)
    return emitError(UnknownLoc::get(&context)) << outputName << ": " << code.message();
  (*reduced)->print(output.os());
  output.keep();
  return success();
}
