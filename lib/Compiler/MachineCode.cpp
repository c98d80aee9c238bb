//===- MachineCode.cpp - LLVM IR to object code ---------------------------===//
//
// Target machines, the optimization pipeline and emission.
//
//===----------------------------------------------------------------------===//

#include "MachineCode.h"

#include "mindir/Compiler/Executable.h"

#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"

using namespace llvm;
using namespace mlir::mindir;

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

Expected<Processor> Processor::getHost() {
  auto host = orc::JITTargetMachineBuilder::detectHost();
  if (!host)
    return host.takeError();
  return Processor{host->getTargetTriple().str(), host->getCPU(),
                host->getFeatures().getString()};
}

Expected<std::unique_ptr<TargetMachine>>
Processor::createMachine(unsigned optimizationLevel) const {
  static const bool isInitialized = [] {
    InitializeAllTargetInfos();
    InitializeAllTargets();
    InitializeAllTargetMCs();
    InitializeAllAsmPrinters();
    return true;
  }();
  (void)isInitialized;
  Triple parsed(triple);
  std::string message;
  const llvm::Target *target = TargetRegistry::lookupTarget(parsed, message);
  if (!target)
    return createStringError("ValueError: no code can be made for '" + triple +
                             "': " + message);
  auto level = optimizationLevel >= 3   ? CodeGenOptLevel::Aggressive
               : optimizationLevel == 0 ? CodeGenOptLevel::None
                                        : CodeGenOptLevel::Default;
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Standard;
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      parsed, cpu, features, options, Reloc::PIC_, CodeModel::Small, level));
  if (!machine)
    return createStringError("ValueError: no code can be made for '" + triple +
                             "', processor '" + cpu + "'");
  return machine;
}

//===----------------------------------------------------------------------===//
// Optimization
//===----------------------------------------------------------------------===//

/// Makes what is only used inside local, and names the processor on each function.
static void prepare(Module &module, TargetMachine &machine,
                    StringRef exported) {
  module.setDataLayout(machine.createDataLayout());
  module.setTargetTriple(machine.getTargetTriple());
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (function.getName() != exported)
      function.setLinkage(GlobalValue::InternalLinkage);
    function.addFnAttr(Attribute::NoUnwind);
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    if (machine.getTargetTriple().isX86())
      function.addFnAttr("prefer-vector-width", "512");
  }
  for (GlobalVariable &global : module.globals())
    if (!global.isDeclaration())
      global.setLinkage(GlobalValue::InternalLinkage);
}

static OptimizationLevel getLevel(unsigned level) {
  switch (level) {
  case 0:
    return OptimizationLevel::O0;
  case 1:
    return OptimizationLevel::O1;
  case 2:
    return OptimizationLevel::O2;
  default:
    return OptimizationLevel::O3;
  }
}

static void optimize(Module &module, TargetMachine &machine, unsigned level,
                     const std::function<bool()> &isInterrupted) {
  PassInstrumentationCallbacks callbacks;
  bool stop = false;
  if (isInterrupted)
    callbacks.registerShouldRunOptionalPassCallback(
        [&](StringRef, Any) { return !(stop = stop || isInterrupted()); });
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = level > 1;
  tuning.SLPVectorization = level > 1;
  PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  ModulePassManager passes =
      level == 0 ? builder.buildO0DefaultPipeline(OptimizationLevel::O0)
                 : builder.buildPerModuleDefaultPipeline(getLevel(level));
  passes.run(module, modules);
}

Expected<std::unique_ptr<MemoryBuffer>>
mlir::mindir::emitObject(Module &module, TargetMachine &machine, unsigned level,
                         StringRef exported,
                         const std::function<bool()> &isInterrupted) {
  prepare(module, machine, exported);
  std::string fault;
  raw_string_ostream stream(fault);
  // Code generation aborts on a malformed module.
  if (verifyModule(module, &stream))
    return createStringError("the generated LLVM IR is malformed: " + fault);
  optimize(module, machine, level, isInterrupted);
  if (isInterrupted && isInterrupted())
    return createStringError(std::errc::interrupted, "compilation interrupted");
  SmallVector<char, 0> bytes;
  raw_svector_ostream object(bytes);
  legacy::PassManager emission;
  if (machine.addPassesToEmitFile(emission, object, nullptr,
                                  CodeGenFileType::ObjectFile,
                                  /*DisableVerify=*/true))
    return createStringError("ValueError: no objects can be made for '" +
                             machine.getTargetTriple().str() + "'");
  emission.run(module);
  return std::make_unique<SmallVectorMemoryBuffer>(
      std::move(bytes), module.getModuleIdentifier(),
      /*RequiresNullTerminator=*/false);
}

//===----------------------------------------------------------------------===//
// Packed entry
//===----------------------------------------------------------------------===//

void mlir::mindir::addPackedEntry(Module &module, StringRef callee,
                                  unsigned numPointers) {
  LLVMContext &context = module.getContext();
  auto *pointer = PointerType::get(context, 0);
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer}, false);
  auto *packed = Function::Create(type, Function::ExternalLinkage,
                                  kPackedEntryName, module);
  IRBuilder<> builder(BasicBlock::Create(context, "", packed));
  SmallVector<llvm::Value *> pointers;
  for (unsigned i = 0; i < numPointers; ++i) {
    llvm::Value *slot =
        builder.CreateConstInBoundsGEP1_64(pointer, packed->getArg(0), i);
    pointers.push_back(builder.CreateLoad(pointer, slot));
  }
  builder.CreateCall(module.getFunction(callee), pointers);
  builder.CreateRetVoid();
}
