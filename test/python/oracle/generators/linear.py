"""Matrix products, convolutions and pooling."""

import numpy as np

from oracle import dtypes
from oracle.case import Case, Operand
from oracle.draw import sizes_operand
from oracle.registry import generator

NHWC = ", layout = #mindir<layout nhwc>"


@generator("matmul")
def matmul(draw):
    element = draw.element(dtypes.NUMERIC)
    batch = draw.shape(max_rank=2) if draw.chance(0.4) else ()
    m, k, n = (draw.size() for _ in range(3))
    flags = [name for name in ("transpose_lhs", "transpose_rhs") if draw.chance()]
    lhs_shape = (k, m) if "transpose_lhs" in flags else (m, k)
    rhs_shape = (n, k) if "transpose_rhs" in flags else (k, n)
    batch = batch if np.prod(batch, dtype=float) <= 40 else batch[:1]
    batch = tuple(min(size, 40) for size in batch)
    lhs = draw.operand((*batch, *lhs_shape), element)
    rhs = draw.operand((*batch, *rhs_shape), element)

    def product(a, b):
        a = np.swapaxes(a, -1, -2) if "transpose_lhs" in flags else a
        b = np.swapaxes(b, -1, -2) if "transpose_rhs" in flags else b
        return np.matmul(a, b)

    case = Case("mindir.matmul", "", [lhs, rhs], [((*batch, m, n), element)], product,
                "accumulation", draw.dynamic, lambda a, b: [product(np.abs(a), np.abs(b))],
                (0, 1) if draw.smooth else ())
    attributes = f"{{{', '.join(flags)}}} " if flags else ""
    case.body = (f"%r0 = mindir.matmul %a0, %a1 {attributes}: {lhs.type}, {rhs.type} -> "
                 f"{case.result_types[0]}")
    return case


# ----------------------------------------------------------------- windows


class Window:
    """A window's geometry; images are [n, c, h, w] throughout, and turned to and
    from channels-last at the ends."""

    def __init__(self, draw, image, size, *, dilated, padding_below_window=False):
        self.size = size
        self.strides = [draw.choice([1, 1, 2, 3]) for _ in range(2)]
        self.dilations = [draw.choice([1, 1, 2]) if dilated else 1 for _ in range(2)]
        self.padding = []
        for i in range(2):
            greatest = size[i] - 1 if padding_below_window else 2
            sides = [min(draw.choice([0, 0, 1, 2]), greatest) for _ in range(2)]
            extent = (size[i] - 1) * self.dilations[i] + 1
            sides[1] += max(0, extent - image[i] - sum(sides)) if not padding_below_window else 0
            self.padding += sides
        self.layout = draw.chance(0.4)

    def output(self, image):
        """Height and width of the result."""
        return tuple((size + self.padding[2 * i] + self.padding[2 * i + 1]
                      - (self.size[i] - 1) * self.dilations[i] - 1) // self.strides[i] + 1
                     for i, size in enumerate(image))

    def padded(self, images, filler=0):
        top, bottom, left, right = self.padding
        return np.pad(images, ((0, 0), (0, 0), (top, bottom), (left, right)),
                      constant_values=filler)

    def patches(self, padded, output):
        """Views of the padded images under each place of the window: (row, column,
        index into the padded images that gives [n, c, *output])."""
        for row in range(self.size[0]):
            for column in range(self.size[1]):
                y, x = row * self.dilations[0], column * self.dilations[1]
                yield row, column, (
                    slice(None), slice(None),
                    slice(y, y + (output[0] - 1) * self.strides[0] + 1, self.strides[0]),
                    slice(x, x + (output[1] - 1) * self.strides[1] + 1, self.strides[1]))

    def inside(self, padded_gradient):
        """The part of a padded array that lies inside of the image."""
        top, bottom, left, right = self.padding
        height, width = padded_gradient.shape[2:]
        return padded_gradient[:, :, top:height - bottom, left:width - right]

    def to_layout(self, images):
        return images.transpose(0, 2, 3, 1) if self.layout else images

    def from_layout(self, images):
        return images.transpose(0, 3, 1, 2) if self.layout else images

    def shape(self, shape):
        n, c, h, w = shape
        return (n, h, w, c) if self.layout else shape

    def convolution_attributes(self, groups):
        return (f"{{strides = {_array(self.strides)}, padding = {_array(self.padding)}, "
                f"dilations = {_array(self.dilations)}, groups = {groups} : i64"
                f"{NHWC if self.layout else ''}}}")

    def pooling_attributes(self, extra=""):
        return (f"{{window = {_array(self.size)}, strides = {_array(self.strides)}, "
                f"padding = {_array(self.padding)}{extra}{NHWC if self.layout else ''}}}")


def _array(numbers):
    return f"array<i64: {', '.join(map(str, numbers))}>"


# ------------------------------------------------------------- convolution


class Convolution:
    """Draws a convolution's shapes; computes it and its transposes."""

    def __init__(self, draw):
        self.element = draw.element(dtypes.FLOATS)
        self.groups = draw.choice([1, 1, 2, 3])
        inputs, outputs = draw.integer(1, 3), draw.integer(1, 3)
        if draw.smooth:
            self.groups, inputs, outputs = draw.choice([1, 2]), 1, draw.integer(1, 2)
        size = [draw.integer(1, 3) for _ in range(2)]
        image = [draw.integer(2, 4 if draw.smooth else 9) for _ in range(2)]
        self.window = Window(draw, image, size, dilated=True)
        batch = 0 if draw.is_empty else draw.integer(1, 3)
        self.input_shape = (batch, inputs * self.groups, *image)
        self.weight_shape = (outputs * self.groups, inputs, *size)
        self.output_shape = (batch, self.weight_shape[0], *self.window.output(image))
        self.attributes = self.window.convolution_attributes(self.groups)

    def _group(self, i, array, axis=1):
        return np.split(array, self.groups, axis)[i]

    def forward(self, images, weight):
        padded = self.window.padded(images)
        result = np.zeros(self.output_shape, images.dtype)
        for row, column, index in self.window.patches(padded, self.output_shape[2:]):
            for g in range(self.groups):
                outputs = self.weight_shape[0] // self.groups
                result[:, g * outputs:(g + 1) * outputs] += np.einsum(
                    "nchw,oc->nohw", self._group(g, padded[index]),
                    self._group(g, weight[:, :, row, column], 0))
        return result

    def input_gradient(self, cotangent, weight):
        padded = self.window.padded(np.zeros(self.input_shape, cotangent.dtype))
        for row, column, index in self.window.patches(padded, self.output_shape[2:]):
            padded[index] += np.concatenate([np.einsum(
                "nohw,oc->nchw", self._group(g, cotangent),
                self._group(g, weight[:, :, row, column], 0)) for g in range(self.groups)], 1)
        return self.window.inside(padded)

    def weight_gradient(self, images, cotangent):
        padded = self.window.padded(images)
        result = np.zeros(self.weight_shape, images.dtype)
        for row, column, index in self.window.patches(padded, self.output_shape[2:]):
            result[:, :, row, column] = np.concatenate([np.einsum(
                "nohw,nchw->oc", self._group(g, cotangent), self._group(g, padded[index]))
                for g in range(self.groups)])
        return result


def _convolution(name, make_shapes, method, images_at, result_is_image):
    """Registers one of the three maps: `make_shapes` gives operand and result
    shapes, `images_at` says which operands are batches of images."""
    @generator(name)
    def make(draw):
        conv = Convolution(draw)
        first, second, target = make_shapes(conv)
        window, compute = conv.window, getattr(conv, method)

        def formula(*arrays):
            arrays = [window.from_layout(a) if i in images_at else a
                      for i, a in enumerate(arrays[:2])]
            result = compute(*arrays)
            return window.to_layout(result) if result_is_image else result

        def in_layout(i, shape):
            return window.shape(shape) if i in images_at else shape

        # Special values are left out: whether padding meets them (0 * inf) is not said.
        x = draw.operand(in_layout(0, first), conv.element, special=False)
        y = draw.operand(in_layout(1, second), conv.element, special=False)
        shape = window.shape(target) if result_is_image else target
        extra, lines, clause = ([], "", "") if name == "conv2d" else sizes_operand(draw, shape)
        case = Case(f"mindir.{name}", "", [x, y, *extra], [(shape, conv.element)], formula,
                    "accumulation", draw.dynamic,
                    lambda *arrays: [formula(*(np.abs(a) for a in arrays))],
                    (0, 1) if draw.smooth else ())
        case.body = (lines.replace("{n}", "2") +
                     f"%r0 = mindir.{name} %a0, %a1 {clause} {conv.attributes} : "
                     f"{x.type}, {y.type} -> {case.result_types[0]}")
        return case


_convolution("conv2d", lambda c: (c.input_shape, c.weight_shape, c.output_shape),
             "forward", (0,), True)
_convolution("conv2d_input_grad", lambda c: (c.output_shape, c.weight_shape, c.input_shape),
             "input_gradient", (0,), True)
_convolution("conv2d_weight_grad", lambda c: (c.input_shape, c.output_shape, c.weight_shape),
             "weight_gradient", (0, 1), False)


# ----------------------------------------------------------------- pooling


class Pooling:
    """Draws a pooling's shapes."""

    def __init__(self, draw, elements):
        self.element = draw.element(elements)
        size = [draw.integer(1, 3) for _ in range(2)]
        image = [max(draw.integer(1, 5 if draw.smooth else 9), size[i]) for i in range(2)]
        self.window = Window(draw, image, size, dilated=False, padding_below_window=True)
        batch = 0 if draw.is_empty else draw.integer(1, 3)
        self.input_shape = (batch, draw.integer(1, 3), *image)
        self.output_shape = (*self.input_shape[:2], *self.window.output(image))

    def positions(self):
        """The place in the image plane of each element of the padded plane; -1 outside."""
        height, width = self.input_shape[2:]
        plane = np.arange(height * width).reshape(1, 1, height, width)
        return self.window.padded(plane, -1)

    def maxima(self, images):
        """Maxima, and the positions of the first of them."""
        padded, places = self.window.padded(images), self.positions()
        values = indices = None
        for _, _, index in self.window.patches(padded, self.output_shape[2:]):
            here, place = padded[index], np.broadcast_to(places[index], self.output_shape)
            if values is None:
                values, indices = here.copy(), place.copy()
                continue
            with np.errstate(all="ignore"):
                better = (indices < 0) | (here > values) | (_isnan(here) & ~_isnan(values))
            better &= place >= 0
            values, indices = np.where(better, here, values), np.where(better, place, indices)
        return values, indices

    def divisors(self, counts_padding):
        if counts_padding:
            return np.full(self.output_shape[2:], self.window.size[0] * self.window.size[1])
        places = self.positions()
        return sum((places[index][0, 0] >= 0).astype(int) for _, _, index in
                   self.window.patches(places, self.output_shape[2:]))

    def means(self, images, counts_padding):
        padded = self.window.padded(images)
        total = sum(padded[index] for _, _, index in
                    self.window.patches(padded, self.output_shape[2:]))
        return total / self.divisors(counts_padding)

    def spread(self, cotangent, counts_padding):
        padded = self.window.padded(np.zeros(self.input_shape, cotangent.dtype))
        share = cotangent / self.divisors(counts_padding)
        for _, _, index in self.window.patches(padded, self.output_shape[2:]):
            padded[index] += share
        return self.window.inside(padded)


def _isnan(values):
    return np.isnan(values) if values.dtype.kind == "f" else np.zeros(values.shape, bool)


@generator("max_pool2d")
def max_pool2d(draw):
    pool = Pooling(draw, dtypes.NUMERIC)
    window = pool.window
    x = draw.operand(window.shape(pool.input_shape), pool.element)
    shape = window.shape(pool.output_shape)
    case = Case("mindir.max_pool2d", "", [x], [(shape, pool.element), (shape, "i64")],
                lambda a: tuple(window.to_layout(r) for r in pool.maxima(window.from_layout(a))),
                "exact", draw.dynamic, wrt=(0,) if draw.smooth else ())
    case.body = (f"%r0, %r1 = mindir.max_pool2d %a0 {window.pooling_attributes()} : {x.type} -> "
                 f"{', '.join(case.result_types)}")
    return case


def _plane_indices(draw, pool):
    height, width = pool.input_shape[2:]
    values = draw.rng.integers(0, height * width, pool.window.shape(pool.output_shape))
    return Operand(np.asarray(values, np.int64), "i64", draw.dynamic)


@generator("pool_gather")
def pool_gather(draw):
    pool = Pooling(draw, dtypes.NUMERIC)
    window = pool.window
    x = draw.operand(window.shape(pool.input_shape), pool.element)
    indices = _plane_indices(draw, pool)

    def formula(images, places):
        images, places = window.from_layout(images), window.from_layout(places)
        flat = images.reshape(*images.shape[:2], images.shape[2] * images.shape[3])
        count = places.shape[2] * places.shape[3]
        taken = np.take_along_axis(flat, places.reshape(*flat.shape[:2], count), 2)
        return window.to_layout(taken.reshape(places.shape))

    case = Case("mindir.pool_gather", "", [x, indices], [(indices.values.shape, pool.element)],
                formula, "exact", draw.dynamic, wrt=(0,) if draw.smooth else ())
    attributes = f"{{{NHWC[2:]}}} " if window.layout else ""
    case.body = (f"%r0 = mindir.pool_gather %a0, %a1 {attributes}: {x.type}, {indices.type} -> "
                 f"{case.result_types[0]}")
    return case


@generator("pool_scatter")
def pool_scatter(draw):
    pool = Pooling(draw, dtypes.NUMERIC)
    window = pool.window
    x = draw.operand(window.shape(pool.output_shape), pool.element)
    indices = _plane_indices(draw, pool)

    def formula(values, places, *_):
        values, places = window.from_layout(values), window.from_layout(places)
        result = np.zeros(pool.input_shape, values.dtype)
        height, width = pool.input_shape[2:]
        flat = result.reshape(*pool.input_shape[:2], height * width)
        count = values.shape[2] * values.shape[3]
        n, c = np.ogrid[:values.shape[0], :values.shape[1]]
        np.add.at(flat, (n[..., None], c[..., None], places.reshape(*places.shape[:2], count)),
                  values.reshape(*values.shape[:2], count))
        return window.to_layout(result)

    shape = window.shape(pool.input_shape)
    extra, lines, clause = sizes_operand(draw, shape)
    case = Case("mindir.pool_scatter", "", [x, indices, *extra], [(shape, pool.element)], formula,
                "accumulation", draw.dynamic, lambda v, p, *_: [formula(np.abs(v), p)],
                (0,) if draw.smooth else ())
    attributes = f"{{{NHWC[2:]}}} " if window.layout else ""
    case.body = (lines.replace("{n}", "2") +
                 f"%r0 = mindir.pool_scatter %a0, %a1 {clause} {attributes}: {x.type}, "
                 f"{indices.type} -> {case.result_types[0]}")
    return case


def _mean_pooling(name, method, from_shape, to_shape):
    @generator(name)
    def make(draw):
        pool = Pooling(draw, dtypes.FLOATS)
        window, counts_padding = pool.window, draw.chance()
        x = draw.operand(window.shape(getattr(pool, from_shape)), pool.element)
        shape = window.shape(getattr(pool, to_shape))
        extra, lines, clause = ([], "", "") if name == "avg_pool2d" else sizes_operand(draw, shape)

        def formula(a, *_):
            return window.to_layout(getattr(pool, method)(window.from_layout(a), counts_padding))

        case = Case(f"mindir.{name}", "", [x, *extra], [(shape, pool.element)], formula,
                    "accumulation", draw.dynamic, lambda a, *_: [formula(np.abs(a))],
                    (0,) if draw.smooth else ())
        attributes = window.pooling_attributes(", count_include_pad" if counts_padding else "")
        case.body = (lines.replace("{n}", "1") + f"%r0 = mindir.{name} %a0 {clause} {attributes} : "
                     f"{x.type} -> {case.result_types[0]}")
        return case


_mean_pooling("avg_pool2d", "means", "input_shape", "output_shape")
_mean_pooling("avg_pool2d_grad", "spread", "output_shape", "input_shape")
