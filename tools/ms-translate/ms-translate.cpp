//===- ms-translate.cpp - translation to and from other formats -----------===//
//
// Exports compiled modules to LLVM IR (--mlir-to-llvmir), and whatever else upstream
// translates.
//
//===----------------------------------------------------------------------===//

#include "mlir/InitAllTranslations.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

int main(int argc, char **argv) {
  mlir::registerAllTranslations();
  return mlir::failed(
      mlir::mlirTranslateMain(argc, argv, "MindIR translation driver"));
}
