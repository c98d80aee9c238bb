//===- Random.h - Philox4x32-10 ---------------------------------*- C++ -*-===//
//
// The counter-based generator of Salmon et al., "Parallel Random Numbers: As
// Easy as 1, 2, 3" (SC 2011). Word i of a seed's stream is word i mod 4 of the
// block with counter i / 4, so any range can be computed on its own.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_RUNTIME_RANDOM_H
#define MINDIR_RUNTIME_RANDOM_H

#include <array>
#include <cstdint>

namespace mindrt {

using PhiloxCounter = std::array<uint32_t, 4>;
using PhiloxKey = std::array<uint32_t, 2>;

/// Four random words for a counter and a key.
inline PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key) {
  for (int round = 0; round < 10; ++round) {
    uint64_t product0 = uint64_t(0xD2511F53) * counter[0];
    uint64_t product1 = uint64_t(0xCD9E8D57) * counter[2];
    counter = {static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<uint32_t>(product1),
               static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<uint32_t>(product0)};
    key = {key[0] + 0x9E3779B9, key[1] + 0xBB67AE85};
  }
  return counter;
}

/// Block `index` of the stream of `seed`.
inline PhiloxCounter philoxBlock(uint64_t seed, uint64_t index) {
  return philox4x32(
      {static_cast<uint32_t>(index), static_cast<uint32_t>(index >> 32), 0, 0},
      {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)});
}

} // namespace mindrt

#endif // MINDIR_RUNTIME_RANDOM_H
