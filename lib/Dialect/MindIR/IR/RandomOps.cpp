//===- RandomOps.cpp - random numbers -------------------------------------===//
//
// Verification of counter-based random ops.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Dialect/MindIR/IR/ShapedOp.h"

#include "mlir/IR/Builders.h"

#define GET_OP_CLASSES
#include "mindir/Dialect/MindIR/IR/RandomOps.cpp.inc"

using namespace mlir;
using namespace mlir::mindir;

LogicalResult RandomBitsOp::verify() { // random_bits_c1
  return verifyDynamicSizes(*this, getDynamicSizes().size());
}

LogicalResult RandomUniformOp::verify() { // random_uniform_c1
  return verifyDynamicSizes(*this, getDynamicSizes().size());
}

LogicalResult RandomNormalOp::verify() { // random_normal_c1
  return verifyDynamicSizes(*this, getDynamicSizes().size());
}
