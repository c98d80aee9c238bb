//===- BatchableOpInterface.cpp - definitions of the interface --------===//
//
// The generated definitions of BatchableOpInterface.td.
//
//===----------------------------------------------------------------------===//

#include "mindir/Interfaces/BatchableOpInterface.h"

#include "mindir/Interfaces/BatchableOpInterface.cpp.inc"
