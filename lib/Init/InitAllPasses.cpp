//===- InitAllPasses.cpp - registration of all passes ---------------------===//
//
// Registers MindIR's passes and pipelines, and every upstream pass.
//
//===----------------------------------------------------------------------===//

#include "mindir/InitAllPasses.h"

#include "mlir/InitAllPasses.h"

void mlir::mindir::registerAllPasses() { mlir::registerAllPasses(); }
