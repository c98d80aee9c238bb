//===- ms-run.cpp - runs functions of a MindIR file -----------------------===//
//
// Runs a function on inputs from files, text or a seed, and prints its results.
//
//===----------------------------------------------------------------------===//

#include "mindir/InitAllDialects.h"
#include "mindir/Tools/RunMain.h"

#include "mlir/IR/DialectRegistry.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::mindir::registerAllDialects(registry);
  return mlir::failed(mlir::mindir::runMain(argc, argv, registry));
}
