//===- RunGrid.h - runs on a simulated grid -------------------------------===//
//
// Splits the inputs of a partitioned function, runs it on every device, and joins
// the results.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_TOOLS_RUNGRID_H
#define MINDIR_TOOLS_RUNGRID_H

#include "mindir/Tools/RunInputs.h"

namespace mlir::mindir {

/// Runs `function`, whose types are those of one device's part, on each device of
/// the `shard.grid` named `grid`. The attributes `mindir.sharding` of arguments and
/// results say how inputs, given whole, are split and how results are joined; a value
/// without one is the same on all devices. It is an error if replicas differ.
llvm::Expected<SmallVector<reference::RuntimeValue>>
runOnGrid(func::FuncOp function, StringRef grid, const RunInputs &inputs,
          const reference::InterpreterOptions &options);

} // namespace mlir::mindir

#endif // MINDIR_TOOLS_RUNGRID_H
