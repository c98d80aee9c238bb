//===- DifferentiableOpInterface.cpp - definitions of the interface --------===//
//
// The generated definitions of DifferentiableOpInterface.td.
//
//===----------------------------------------------------------------------===//

#include "mindir/Interfaces/DifferentiableOpInterface.h"

#include "mindir/Interfaces/DifferentiableOpInterface.cpp.inc"
