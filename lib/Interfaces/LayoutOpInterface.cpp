//===- LayoutOpInterface.cpp - definitions of the interface ---------------===//
//
// The generated definitions of LayoutOpInterface.td.
//
//===----------------------------------------------------------------------===//

#include "mindir/Interfaces/LayoutOpInterface.h"

#include "mindir/Interfaces/LayoutOpInterface.cpp.inc"
