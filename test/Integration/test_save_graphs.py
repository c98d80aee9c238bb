"""The IR that `save_graphs` writes after each phase is what ms-opt makes of the first."""

import pathlib
import subprocess

import numpy as np

import mindir as ms
from mindir import Tensor, nn

MS_OPT = pathlib.Path(__file__).parents[2] / "build/bin/ms-opt"


def _dump(folder):
    net = nn.SequentialCell(nn.Conv2d(1, 4, 3, padding=1, pad_mode="pad"), nn.BatchNorm2d(4), nn.ReLU(),
                            nn.Flatten(), nn.Dense(64, 3))
    net.set_train(True)
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    loss_fn = nn.CrossEntropyLoss()
    gradient = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, optimizer.parameters)

    @ms.jit
    def step(x, y):
        loss, gradients = gradient(x, y)
        optimizer(gradients)
        return loss

    ms.set_context(save_graphs=2, save_graphs_path=str(folder))
    try:
        step(Tensor(np.ones((5, 1, 4, 4), np.float32)), Tensor(np.arange(5) % 3, ms.int32))
    finally:
        ms.set_context(save_graphs=0)
    return sorted(folder.glob("*.mlir"))


def _without_locations(text):
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#loc")]


def test_each_phase_is_reproduced(tmp_path):
    files = _dump(tmp_path)
    phases = [file.stem.split("_", 1)[1] for file in files]
    assert phases[0] == "parse" and len(phases) > 4
    for phase, file in zip(phases[1:], files[1:]):
        made = subprocess.run([MS_OPT, files[0], f"--mindir-cpu-pipeline=compile-to={phase} libraries=onednn",
                               "--mlir-print-debuginfo=false"],
                              check=True, capture_output=True, text=True, timeout=60).stdout
        dumped = subprocess.run([MS_OPT, file, "--mlir-print-debuginfo=false"],
                                check=True, capture_output=True, text=True, timeout=60).stdout
        assert _without_locations(made) == _without_locations(dumped), phase
