//===- RandomKernels.cpp - random numbers by definition -------------------===//
//
// Philox4x32-10 as published (Salmon et al., SC 2011), written out once more here:
// the oracle shares no code with the runtime.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Reference/Kernels.h"

#include <array>
#include <cmath>

using namespace mlir;
using namespace mlir::mindir;
using namespace mlir::mindir::reference;

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

using Words = std::array<uint32_t, 4>;

/// The four words of counter `counter` of `seed`'s stream.
static Words getWords(uint64_t seed, uint64_t counter) {
  constexpr uint64_t multiplier0 = 0xD2511F53, multiplier1 = 0xCD9E8D57;
  constexpr uint32_t weyl0 = 0x9E3779B9, weyl1 = 0xBB67AE85;
  uint32_t key0 = static_cast<uint32_t>(seed);
  uint32_t key1 = static_cast<uint32_t>(seed >> 32);
  Words x = {static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32), 0,
             0};
  for (int round = 0; round < 10; ++round) {
    uint64_t product0 = multiplier0 * x[0], product1 = multiplier1 * x[2];
    uint32_t high0 = product0 >> 32, high1 = product1 >> 32;
    x = {high1 ^ x[1] ^ key0, static_cast<uint32_t>(product1), high0 ^ x[3] ^ key1,
         static_cast<uint32_t>(product0)};
    key0 += weyl0;
    key1 += weyl1;
  }
  return x;
}

/// Gives the op's results; `fill(i, words)` sets element `i` from its counter.
static LogicalResult
runRandom(KernelCall &call, Value stateOperand, ValueRange dynamicSizes,
          llvm::function_ref<void(Tensor &, int64_t, const Words &)> fill) {
  const Tensor &state = call.get(stateOperand);
  uint64_t seed = static_cast<uint64_t>(state.getInteger(0));
  uint64_t offset = static_cast<uint64_t>(state.getInteger(1));
  Tensor *result = call.allocateResult(dynamicSizes);
  if (!result)
    return failure();
  int64_t count = result->getNumElements();
  for (int64_t i = 0; i < count; ++i)
    fill(*result, i, getWords(seed, offset + i / 4));
  Tensor newState = state;
  newState.setInteger(1, Integer(offset) + (count + 3) / 4);
  call.addResult(std::move(newState));
  return success();
}

//===----------------------------------------------------------------------===//
// Distributions
//===----------------------------------------------------------------------===//

static LogicalResult runRandomBits(RandomBitsOp op, KernelCall &call) {
  return runRandom(call, op.getState(), op.getDynamicSizes(),
                   [](Tensor &result, int64_t i, const Words &words) {
                     result.setInteger(i, words[i % 4]);
                   });
}

/// The upper 24 bits of a word over 2^24.
static Real getUnit(uint32_t word) { return (word >> 8) * 0x1p-24L; }

/// `value` in [0, 1) to `precision` bits, toward zero.
static Real roundDown(Real value, int precision) {
  if (value == 0)
    return 0;
  Real quantum = std::ldexp(Real(1), std::ilogb(value) - precision + 1);
  return std::floor(value / quantum) * quantum;
}

static LogicalResult runRandomUniform(RandomUniformOp op, KernelCall &call) {
  return runRandom(call, op.getState(), op.getDynamicSizes(),
                   [](Tensor &result, int64_t i, const Words &words) {
                     DType dtype = result.getDType();
                     // Rounding to nearest could give 1. Below 2^-14, numbers of
                     // f16 are multiples of 2^-24 again, as the value is.
                     int precision = dtype == DType::F16    ? 11
                                     : dtype == DType::BF16 ? 8
                                                            : 24;
                     result.setReal(i, roundDown(getUnit(words[i % 4]), precision));
                   });
}

static LogicalResult runRandomNormal(RandomNormalOp op, KernelCall &call) {
  return runRandom(
      call, op.getState(), op.getDynamicSizes(),
      [](Tensor &result, int64_t i, const Words &words) {
        int64_t pair = i % 4 / 2 * 2;
        // In (0, 1], so that the logarithm is finite.
        Real radius = std::sqrt(-2 * std::log(getUnit(words[pair]) + 0x1p-24L));
        Real angle = 2 * Real(M_PIl) * getUnit(words[pair + 1]);
        result.setReal(i, radius * (i % 2 ? std::sin(angle) : std::cos(angle)));
      });
}

void reference::populateRandomKernels(KernelRegistry &registry) {
  registry.add<RandomBitsOp>(runRandomBits);
  registry.add<RandomUniformOp>(runRandomUniform);
  registry.add<RandomNormalOp>(runRandomNormal);
}
