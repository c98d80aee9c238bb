//===- BatchableOpInterface.h - vectorizing map (vmap) rules --------------===//
//
// C++ face of BatchableOpInterface.td.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_INTERFACES_BATCHABLEOPINTERFACE_H
#define MINDIR_INTERFACES_BATCHABLEOPINTERFACE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

#include "mindir/Interfaces/BatchableOpInterface.h.inc"

#endif // MINDIR_INTERFACES_BATCHABLEOPINTERFACE_H
