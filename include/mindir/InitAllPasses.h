//===- InitAllPasses.h - registration of all passes -----------------------===//
//
// The one place where passes and pipelines are registered.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_INITALLPASSES_H
#define MINDIR_INITALLPASSES_H

namespace mlir::mindir {

/// Registers MindIR's passes and pipelines, and every upstream pass.
void registerAllPasses();

} // namespace mlir::mindir

#endif // MINDIR_INITALLPASSES_H
