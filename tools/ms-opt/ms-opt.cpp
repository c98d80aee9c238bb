//===- ms-opt.cpp - the optimizer driver ----------------------------------===//
//
// Runs passes and pipelines over MindIR text.
//
//===----------------------------------------------------------------------===//

#include "mindir/InitAllDialects.h"
#include "mindir/InitAllPasses.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::mindir::registerAllPasses();
  mlir::DialectRegistry registry;
  mlir::mindir::registerAllDialects(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "MindIR optimizer driver\n", registry));
}
