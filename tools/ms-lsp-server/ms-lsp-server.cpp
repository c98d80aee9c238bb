//===- ms-lsp-server.cpp - language server for MindIR text ----------------===//
//
// Gives editors diagnostics, definitions and hovers for .mlir files with mindir ops.
//
//===----------------------------------------------------------------------===//

#include "mindir/InitAllDialects.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::mindir::registerAllDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
