//===- ms-reduce.cpp - reducer of failing MindIR modules ------------------===//
//
// Shrinks a module while a test script still finds what it looks for.
//
//===----------------------------------------------------------------------===//

#include "mindir/InitAllDialects.h"
#include "mindir/InitAllPasses.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

int main(int argc, char **argv) {
  mlir::mindir::registerAllPasses();
  mlir::DialectRegistry registry;
  mlir::mindir::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
