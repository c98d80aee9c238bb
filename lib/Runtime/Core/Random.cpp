//===- Random.cpp - Random bits for generated code ------------------------===//
//
// Fills a range of a seed's stream on all threads.
//
//===----------------------------------------------------------------------===//
#include "mindir/Runtime/Random.h"
#include "mindir/Runtime/Parallel.h"
#include "mindir/Runtime/Status.h"

#include <algorithm>

using namespace mindrt;

/// Words [begin, end) of the stream to `out`, which belongs to word `begin`.
static void fillWords(uint64_t seed, uint64_t begin, uint64_t end,
                      uint32_t *out) {
  for (uint64_t word = begin; word != end;) {
    PhiloxCounter block = philoxBlock(seed, word / 4);
    uint64_t count = std::min<uint64_t>(4 - word % 4, end - word);
    out = std::copy_n(block.data() + word % 4, count, out);
    word += count;
  }
}

int mindrt_random_bits(uint64_t seed, uint64_t offset, uint32_t *out,
                       int64_t n) {
  if (n < 0)
    return publish(Status::error(ErrorCode::Value,
                                 "%lld random words: expected a count >= 0",
                                 static_cast<long long>(n)));
  return parallelFor(n, 1 << 14, [=](int64_t lo, int64_t hi) {
    fillWords(seed, offset + static_cast<uint64_t>(lo),
              offset + static_cast<uint64_t>(hi), out + lo);
  });
}
