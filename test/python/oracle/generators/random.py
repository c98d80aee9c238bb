"""Random ops, against Philox written with numpy arrays."""

import numpy as np

from oracle.case import Case, Operand
from oracle.draw import sizes_operand
from oracle import dtypes
from oracle.registry import generator


def philox_words(seed, offset, count):
    """The first `count` words of the counters from `offset` on."""
    blocks = -(-count // 4)
    counters = (np.uint64(offset) + np.arange(blocks, dtype=np.uint64))
    mask, shift = np.uint64(0xFFFFFFFF), np.uint64(32)
    x = [counters & mask, counters >> shift, np.zeros_like(counters), np.zeros_like(counters)]
    k0, k1 = int(seed) & 0xFFFFFFFF, int(seed) >> 32
    for _ in range(10):
        p0, p1 = np.uint64(0xD2511F53) * x[0], np.uint64(0xCD9E8D57) * x[2]
        x = [(p1 >> shift) ^ x[1] ^ np.uint64(k0), p1 & mask,
             (p0 >> shift) ^ x[3] ^ np.uint64(k1), p0 & mask]
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return np.stack(x, axis=1).ravel().astype(np.uint32)


def _units(words):
    return (words >> 8) * np.longdouble(2.0**-24)


def _round_down(values, element):
    if element not in ("f16", "bf16"):
        return values
    precision = dtypes.PRECISION[element][0]
    _, exponent = np.frexp(values)
    quantum = np.ldexp(np.longdouble(1), exponent - precision)
    return np.where(values > 0, np.floor(values / quantum) * quantum, 0)


def _normals(words):
    pairs = _units(words).reshape(-1, 2)
    radius = np.sqrt(-2 * np.log(pairs[:, 0] + np.longdouble(2.0**-24)))
    angle = 2 * np.longdouble(np.pi) * pairs[:, 1]
    # pi in double is off by 1e-16, which cos and sin near zero would show.
    angle += 2 * np.longdouble(1.2246467991473532e-16) * pairs[:, 1]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).ravel()


def _random(name, elements, make_values, kind):
    @generator(name)
    def make(draw):
        element = draw.choice(elements)
        shape = draw.shape()
        seed, offset = draw.integer(0, 2**63 - 1), draw.choice([0, 1, 12345, 2**32 - 1, 2**40])
        state = Operand(np.array([seed, offset], np.uint64), "ui64", shared=True)
        extra, lines, clause = sizes_operand(draw, shape)
        count = int(np.prod(shape, dtype=np.int64))

        def formula(state, *_):
            words = philox_words(state[0], state[1], count)
            values = make_values(words, element)[:count].reshape(shape)
            return values, np.array([seed, offset + -(-count // 4)], np.uint64)

        case = Case(f"mindir.{name}", "", [state, *extra], [(shape, element), ((2,), "ui64")],
                    formula, kind, draw.dynamic, static_results=(1,))
        case.body = (lines.replace("{n}", "1") +
                     f"%r0, %r1 = mindir.{name} %a0 {clause} : {case.result_types[0]}")
        return case


_random("random_bits", ["ui32"], lambda words, element: words, "exact")
_random("random_uniform", dtypes.FLOATS,
        lambda words, element: _round_down(_units(words), element), "exact")
_random("random_normal", dtypes.FLOATS, lambda words, element: _normals(words), "elementary")
