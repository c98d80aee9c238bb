//===- StateOps.cpp - state -----------------------------------------------===//
//
// The generated definitions of state ops.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "mlir/IR/Builders.h"

#define GET_OP_CLASSES
#include "mindir/Dialect/MindIR/IR/StateOps.cpp.inc"
