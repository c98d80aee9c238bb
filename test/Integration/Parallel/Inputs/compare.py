"""Compares the results that two runs of @main wrote: floats within 1e-5, else equal."""

import sys

import numpy as np

first, second, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
results = [[np.load(f"{folder}/main.{i}.npy") for i in range(count)] for folder in (first, second)]
if results[0][-1].ndim == 0:  # a training loop
    print(f"{int(results[0][-1])} steps, loss {float(results[0][-2]):.4f}")
for one, other in zip(*results):
    if one.dtype.kind == "f":
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)
    else:
        np.testing.assert_array_equal(one, other)
print("equal")
