//===- PrecisionOpInterface.h - autocast categories -----------------------===//
//
// C++ face of PrecisionOpInterface.td.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_INTERFACES_PRECISIONOPINTERFACE_H
#define MINDIR_INTERFACES_PRECISIONOPINTERFACE_H

#include "mlir/IR/OpDefinition.h"

namespace mlir::mindir {

/// How an op's dtype is chosen under autocast.
enum class PrecisionCategory { Low, Full, Follow };

} // namespace mlir::mindir

#include "mindir/Interfaces/PrecisionOpInterface.h.inc"

#endif // MINDIR_INTERFACES_PRECISIONOPINTERFACE_H
