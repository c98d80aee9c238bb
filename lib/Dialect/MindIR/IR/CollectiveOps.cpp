//===- CollectiveOps.cpp - collectives -----------------------------------------------===//
//
// The generated definitions of collectives.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "mlir/IR/Builders.h"

#define GET_OP_CLASSES
#include "mindir/Dialect/MindIR/IR/CollectiveOps.cpp.inc"
