"""The Layout phase against the reference interpreter, on random convolutional networks.

Each network is differentiated; then its values and gradients before the phase, after
it, and compiled, agree.
"""

import subprocess

import numpy as np
import pytest

from mindir._core import Array, compile, run_reference
from oracle.engines import tool

SEEDS = range(24)
# Sums are taken in another order; convolutions of f32 by the library.
REFERENCE_TOLERANCE, COMPILED_TOLERANCE = 1e-12, 2e-4


class Network:
    """The text of one random network on images [N, C, H, W], and its arguments."""

    def __init__(self, seed, element):
        self.rng = np.random.RandomState(seed)
        self.element, self.is_dynamic = element, seed % 3 == 0
        self.arguments, self.lines = [], []
        self.batch, channels, size = 2, int(self.rng.randint(1, 4)), 8
        self.images = self.argument((self.batch, channels, size, size))
        self.value, self.shape = self.images, (self.batch, channels, size, size)
        self.previous = None
        for _ in range(self.rng.randint(3, 8)):
            self.rng.choice([self.conv, self.conv, self.norm, self.activation, self.pool,
                             self.bias, self.join, self.pad, self.cut, self.flip,
                             self.scale])()
        self.conv()
        self.rng.choice([self.mean_end, self.flat_end, self.channel_end])()

    # ---------------------------------------------------------------- building

    def tensor(self, shape, element=None):
        sizes = ["?" if self.is_dynamic and i == 0 and len(shape) > 1 and n == self.batch
                 and (len(shape) != 4 or shape[2:] != (3, 3)) else str(n)
                 for i, n in enumerate(shape)]
        return f"tensor<{'x'.join([*sizes, element or self.element])}>"

    def argument(self, shape, fixed=False):
        text = f"tensor<{'x'.join([*map(str, shape), self.element])}>" if fixed else \
            self.tensor(shape)
        self.arguments.append((text, self.rng.standard_normal(shape)))
        return f"%a{len(self.arguments) - 1}"

    def emit(self, text, results=1):
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name}{':' + str(results) if results > 1 else ''} = {text}")
        return name if results == 1 else f"{name}#0"

    def set(self, value, shape):
        self.previous = (self.value, self.shape)
        self.value, self.shape = value, shape

    def step(self, op, text="", shape=None):
        """An op on the image, whose result is the next image."""
        shape = shape or self.shape
        self.set(self.emit(f"mindir.{op} {self.value} {text} : {self.tensor(self.shape)} -> "
                           f"{self.tensor(shape)}"), shape)

    def sizes(self):
        """The clause for the unknown sizes of an image."""
        if not self.is_dynamic:
            return ""
        zero = self.emit("arith.constant 0 : index")
        size = self.emit(f"tensor.dim {self.value}, {zero} : {self.tensor(self.shape)}")
        return f"sizes({size})"

    # ------------------------------------------------------------------ layers

    def conv(self):
        n, c, h, w = self.shape
        kernel = int(self.rng.choice([1, 3]))
        stride = int(self.rng.choice([1, 1, 2])) if h > 4 else 1
        groups = c if self.rng.rand() < 0.2 else 1
        out = c * int(self.rng.randint(1, 3)) if groups > 1 else int(self.rng.randint(1, 5))
        pad = kernel // 2
        weight = self.argument((out, c // groups, kernel, kernel), fixed=True)
        weight_type = self.arguments[-1][0]
        size = [(s + 2 * pad - kernel) // stride + 1 for s in (h, w)]
        shape = (n, out, *size)
        self.set(self.emit(
            f"mindir.conv2d {self.value}, {weight} {{strides = array<i64: {stride}, {stride}>, "
            f"padding = array<i64: {pad}, {pad}, {pad}, {pad}>, dilations = array<i64: 1, 1>, "
            f"groups = {groups} : i64}} : {self.tensor(self.shape)}, {weight_type} -> "
            f"{self.tensor(shape)}"), shape)

    def norm(self):
        c = self.shape[1]
        vector = f"tensor<{c}x{self.element}>"
        names = [self.argument((c,), fixed=True) for _ in range(2)]
        image = self.tensor(self.shape)
        self.set(self.emit(
            f"mindir.batch_norm_training {self.value}, {', '.join(names)} axis = 1 epsilon = "
            f"1.0e-3 : {image}, {vector}, {vector} -> {image}, {vector}, {vector}", 3),
            self.shape)

    def activation(self):
        op = self.rng.choice(["relu", "tanh"])
        self.set(self.emit(f"mindir.{op} {self.value} : {self.tensor(self.shape)}"), self.shape)

    def pool(self):
        n, c, h, w = self.shape
        if min(h, w) < 4:
            return
        shape = (n, c, h // 2, w // 2)
        attributes = ("{window = array<i64: 2, 2>, strides = array<i64: 2, 2>, "
                      "padding = array<i64: 0, 0, 0, 0>}")
        if self.rng.rand() < 0.5:
            self.step("avg_pool2d", attributes, shape)
            return
        image = self.tensor(self.shape)
        self.set(self.emit(f"mindir.max_pool2d {self.value} {attributes} : {image} -> "
                           f"{self.tensor(shape)}, {self.tensor(shape, 'i64')}", 2), shape)

    def bias(self):
        c = self.shape[1]
        vector = self.argument((c,), fixed=True)
        column = self.emit(f"mindir.reshape {vector} : tensor<{c}x{self.element}> -> "
                           f"tensor<1x{c}x1x1x{self.element}>")
        image, sizes = self.tensor(self.shape), self.sizes()
        wide = self.emit(f"mindir.broadcast_to {column} {sizes} : "
                         f"tensor<1x{c}x1x1x{self.element}> -> {image}")
        self.set(self.emit(f"mindir.add {self.value}, {wide} : {image}"), self.shape)

    def join(self):
        if self.previous is None or self.previous[1][2:] != self.shape[2:]:
            return
        value, shape = self.previous
        if shape == self.shape and self.rng.rand() < 0.5:
            self.set(self.emit(f"mindir.add {self.value}, {value} : {self.tensor(shape)}"), shape)
            return
        joined = (shape[0], shape[1] + self.shape[1], *shape[2:])
        self.set(self.emit(
            f"mindir.concat {self.value}, {value} axis = 1 : {self.tensor(self.shape)}, "
            f"{self.tensor(shape)} -> {self.tensor(joined)}"), joined)

    def pad(self):
        n, c, h, w = self.shape
        zero = self.emit(f"mindir.constant dense<0.5> : tensor<{self.element}>")
        shape = (n, c + 1, h + 2, w)
        self.set(self.emit(
            f"mindir.pad {self.value}, {zero} low = [0, 1, 0, 0] high = [0, 0, 2, 0] interior = "
            f"[0, 0, 0, 0] : {self.tensor(self.shape)}, tensor<{self.element}> -> "
            f"{self.tensor(shape)}"), shape)

    def cut(self):
        n, c, h, w = self.shape
        end = -2**63
        shape = (n, c, h - 1, (w + 1) // 2)
        if h > 2:
            self.step("slice", f"starts = [0, 0, 1, 0] limits = [{end}, {c}, {h}, {w}] "
                      "strides = [1, 1, 1, 2]", shape)

    def flip(self):
        self.set(self.emit(f"mindir.reverse {self.value} axes = [1, 3] : "
                           f"{self.tensor(self.shape)}"), self.shape)

    def scale(self):
        """Squeeze and excite, without the layers between."""
        image, kept = self.tensor(self.shape), (*self.shape[:2], 1, 1)
        total = self.emit(f"mindir.reduce_sum {self.value} axes = [2, 3] keep_dims : {image} -> "
                          f"{self.tensor(kept)}")
        gate = self.emit(f"mindir.sigmoid {total} : {self.tensor(kept)}")
        wide = self.emit(f"mindir.broadcast_to {gate} {self.sizes()} : {self.tensor(kept)} -> "
                         f"{image}")
        self.set(self.emit(f"mindir.mul {self.value}, {wide} : {image}"), self.shape)

    # -------------------------------------------------------------------- ends

    def finish(self, value, shape):
        axes = list(range(len(shape)))
        square = self.emit(f"mindir.tanh {value} : {self.tensor(shape)}")
        self.result = self.emit(f"mindir.reduce_sum {square} axes = {axes} : "
                                f"{self.tensor(shape)} -> tensor<{self.element}>")

    def mean_end(self):
        shape = self.shape[:2]
        self.finish(self.emit(f"mindir.reduce_sum {self.value} axes = [2, 3] : "
                              f"{self.tensor(self.shape)} -> {self.tensor(shape)}"), shape)

    def flat_end(self):
        shape = (self.shape[0], int(np.prod(self.shape[1:])))
        flat = self.emit(f"mindir.reshape {self.value} {self.sizes()} : "
                         f"{self.tensor(self.shape)} -> {self.tensor(shape)}")
        weight = self.argument((shape[1], 3), fixed=True)
        out = (shape[0], 3)
        self.finish(self.emit(f"mindir.matmul {flat}, {weight} : {self.tensor(shape)}, "
                              f"{self.arguments[-1][0]} -> {self.tensor(out)}"), out)

    def channel_end(self):
        n, _, h, w = self.shape
        soft = self.emit(f"mindir.softmax {self.value} axis = 1 : {self.tensor(self.shape)}")
        shape = (n, h, w)
        self.finish(self.emit(f"mindir.reduce_max {soft} axes = [1] : "
                              f"{self.tensor(self.shape)} -> {self.tensor(shape)}"), shape)

    # ------------------------------------------------------------------ module

    def module(self):
        types = [text for text, _ in self.arguments]
        parameters = ", ".join(f"%a{i}: {text}" for i, text in enumerate(types))
        names = ", ".join(f"%a{i}" for i in range(len(types)))
        scalar, body = f"tensor<{self.element}>", "\n  ".join(self.lines)
        results = ", ".join([scalar, *types])
        return f"""func.func private @net({parameters}) -> {scalar} {{
  {body}
  return {self.result} : {scalar}
}}
func.func @main({parameters}) -> ({results}) {{
  %seed = mindir.constant dense<1.0> : {scalar}
  %r:{len(types) + 1} = mindir.vjp @net({names}, %seed) wrt = {list(range(len(types)))}
      : ({', '.join([*types, scalar])}) -> ({results})
  return {', '.join(f'%r#{i}' for i in range(len(types) + 1))} : {results}
}}
"""

    def arrays(self):
        dtype = {"f32": np.float32, "f64": np.float64}[self.element]
        return [Array.from_numpy(value.astype(dtype)) for _, value in self.arguments]


def run_passes(text, *pipelines):
    result = subprocess.run([tool("ms-opt"), *pipelines], input=text, capture_output=True,
                            text=True)
    assert result.returncode == 0, result.stderr[-2000:] + text
    return result.stdout


def check_close(actual, expected, tolerance, text):
    for i, (one, other) in enumerate(zip(actual, expected)):
        one, other = one.numpy(), other.numpy()
        bound = tolerance * max(1.0, np.abs(other).max(initial=0))
        np.testing.assert_allclose(one, other, rtol=0, atol=bound, err_msg=f"result {i}\n{text}")


@pytest.mark.parametrize("seed", SEEDS)
def test_values_stay(seed):
    network = Network(seed, "f64")
    before = run_passes(network.module(), "-mindir-autodiff-pipeline")
    after = run_passes(before, "-mindir-layout-pipeline")
    assert "layout nhwc" in after
    check_close(run_reference(after, "main", network.arrays()),
                run_reference(before, "main", network.arrays()), REFERENCE_TOLERANCE, after)


@pytest.mark.parametrize("seed", SEEDS[::4])
def test_compiled_agrees(seed):
    text = Network(seed, "f32").module()
    wide = Network(seed, "f64")
    before = run_passes(wide.module(), "-mindir-autodiff-pipeline")
    run = compile(text, entry="main", options={"cache_dir": None})
    check_close(run(Network(seed, "f32").arrays()),
                run_reference(before, "main", wide.arrays()), COMPILED_TOLERANCE, text)
