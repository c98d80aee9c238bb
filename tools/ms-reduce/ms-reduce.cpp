//===- ms-reduce.cpp - reducer of failing MindIR modules ------------------===//
//
// Shrinks a module while a test script still finds what it looks for.
//
//===----------------------------------------------------------------------===//

#include "mindir/InitAllDialects.h"
#include "mindir/Tools/ReduceMain.h"

#include "mlir/IR/DialectRegistry.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::mindir::registerAllDialects(registry);
  return mlir::failed(mlir::mindir::reduceMain(argc, argv, registry));
}
