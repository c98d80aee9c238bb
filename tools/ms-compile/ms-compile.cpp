//===- ms-compile.cpp - ahead-of-time compilation -------------------------===//
//
// Compiles a function of a MindIR file to an object or a shared library, with a C
// header.
//
//===----------------------------------------------------------------------===//

#include "mindir/Tools/CompileMain.h"

int main(int argc, char **argv) {
  return mlir::failed(mlir::mindir::compileMain(argc, argv));
}
