//===- PrecisionOpInterface.cpp - definitions of the interface --------===//
//
// The generated definitions of PrecisionOpInterface.td.
//
//===----------------------------------------------------------------------===//

#include "mindir/Interfaces/PrecisionOpInterface.h"

#include "mindir/Interfaces/PrecisionOpInterface.cpp.inc"
