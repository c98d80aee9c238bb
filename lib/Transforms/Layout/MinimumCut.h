//===- MinimumCut.h - two-way partition of least cost ---------------------===//
//
// The minimum cut between a source and a sink of a directed graph.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_TRANSFORMS_LAYOUT_MINIMUMCUT_H
#define MINDIR_LIB_TRANSFORMS_LAYOUT_MINIMUMCUT_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace mlir::mindir {

/// A graph whose nodes are parted into those of the source and those of the sink. An
/// edge costs its capacity when it leads from the source's side to the sink's.
class MinimumCut {
public:
  static constexpr unsigned kSource = 0, kSink = 1;
  /// The capacity of an edge that is never cut.
  static constexpr int64_t kUncuttable = int64_t(1) << 60;

  MinimumCut() : edgesOf(2) {}

  unsigned addNode();
  void addEdge(unsigned from, unsigned to, int64_t capacity);

  /// Finds the cut, and of equal ones that with the fewest nodes on the sink's side.
  void solve();
  /// After `solve`: whether the node is on the sink's side.
  bool isOnSinkSide(unsigned node) const { return sinkSide[node]; }

private:
  struct Edge {
    unsigned to;
    int64_t capacity;
  };

  /// Breadth-first distances from the source; whether the sink is reached.
  bool findLevels();
  /// Pushes flow along one shortest path; false when there is none left.
  bool augment();
  void markSinkSide();

  /// Edge `e` and its reverse, `e ^ 1`, stand together.
  llvm::SmallVector<Edge> edges;
  llvm::SmallVector<llvm::SmallVector<unsigned>> edgesOf;
  llvm::SmallVector<int64_t> levels;
  llvm::SmallVector<unsigned> nextEdge;
  llvm::SmallVector<bool> sinkSide;
};

} // namespace mlir::mindir

#endif // MINDIR_LIB_TRANSFORMS_LAYOUT_MINIMUMCUT_H
