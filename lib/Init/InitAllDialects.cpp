//===- InitAllDialects.cpp - registration of all dialects -----------------===//
//
// Registers the mindir dialect, its extensions, and every upstream dialect.
//
//===----------------------------------------------------------------------===//

#include "mindir/InitAllDialects.h"

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Transforms/AutoDiff/AutoDiff.h"
#include "mindir/Transforms/Layout/Passes.h"
#include "mindir/Transforms/Parallel/ShardingRules.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

void mlir::mindir::registerAllDialects(DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<MindIRDialect>();
  registerAutoDiffRules(registry);
  registerLayoutRules(registry);
  registerShardingRules(registry);
}
