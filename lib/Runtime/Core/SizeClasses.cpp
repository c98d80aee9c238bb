//===- SizeClasses.cpp - Size classes of the caching allocator ------------===//
//
// Four classes per doubling waste at most a fifth of a block.
//
//===----------------------------------------------------------------------===//
#include "mindir/Runtime/Allocator.h"

using namespace mindrt;

int64_t SizeClasses::bytesOf(int index) {
  int log2 = kMinLog2 + index / 4;
  return (int64_t(4 + index % 4)) << (log2 - 2);
}

int SizeClasses::classOf(int64_t bytes) {
  if (bytes <= bytesOf(0))
    return 0;
  // 2^log2 < bytes <= 2^(log2 + 1): pick the quarter step at or above.
  int log2 = 63 - __builtin_clzll(static_cast<uint64_t>(bytes - 1));
  int64_t quarter = int64_t(1) << (log2 - 2);
  int step =
      static_cast<int>((bytes - (int64_t(1) << log2) + quarter - 1) / quarter);
  return (log2 - kMinLog2) * 4 + step;
}
