//===- MinimumCut.cpp - two-way partition of least cost -------------------===//
//
// Dinic's algorithm: flow along shortest paths until the sink is out of reach.
//
//===----------------------------------------------------------------------===//

#include "MinimumCut.h"

#include <algorithm>
#include <cstddef>

using namespace mlir::mindir;

unsigned MinimumCut::addNode() {
  edgesOf.emplace_back();
  return edgesOf.size() - 1;
}

void MinimumCut::addEdge(unsigned from, unsigned to, int64_t capacity) {
  if (from == to || capacity == 0)
    return;
  edgesOf[from].push_back(edges.size());
  edges.push_back({to, capacity});
  edgesOf[to].push_back(edges.size());
  edges.push_back({from, 0});
}

bool MinimumCut::findLevels() {
  levels.assign(edgesOf.size(), -1);
  levels[kSource] = 0;
  llvm::SmallVector<unsigned> queue{kSource};
  for (size_t i = 0; i < queue.size(); ++i)
    for (unsigned edge : edgesOf[queue[i]]) {
      auto [to, capacity] = edges[edge];
      if (capacity == 0 || levels[to] >= 0)
        continue;
      levels[to] = levels[queue[i]] + 1;
      queue.push_back(to);
    }
  return levels[kSink] >= 0;
}

bool MinimumCut::augment() {
  llvm::SmallVector<unsigned> path;
  unsigned node = kSource;
  while (node != kSink) {
    unsigned &next = nextEdge[node];
    if (next < edgesOf[node].size()) {
      unsigned edge = edgesOf[node][next];
      if (edges[edge].capacity > 0 && levels[edges[edge].to] == levels[node] + 1) {
        path.push_back(edge);
        node = edges[edge].to;
      } else {
        ++next;
      }
      continue;
    }
    if (path.empty())
      return false;
    // A dead end: back, and past the edge that led here.
    node = edges[path.pop_back_val() ^ 1].to;
    ++nextEdge[node];
  }
  int64_t flow = kUncuttable;
  for (unsigned edge : path)
    flow = std::min(flow, edges[edge].capacity);
  for (unsigned edge : path) {
    edges[edge].capacity -= flow;
    edges[edge ^ 1].capacity += flow;
  }
  return true;
}

void MinimumCut::markSinkSide() {
  sinkSide.assign(edgesOf.size(), false);
  sinkSide[kSink] = true;
  llvm::SmallVector<unsigned> queue{kSink};
  for (size_t i = 0; i < queue.size(); ++i)
    for (unsigned edge : edgesOf[queue[i]]) {
      unsigned from = edges[edge].to;
      if (edges[edge ^ 1].capacity == 0 || sinkSide[from])
        continue;
      sinkSide[from] = true;
      queue.push_back(from);
    }
}

void MinimumCut::solve() {
  while (findLevels()) {
    nextEdge.assign(edgesOf.size(), 0);
    while (augment()) {
    }
  }
  markSinkSide();
}
