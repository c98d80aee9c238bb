"""Settings, names that are missing, and `python -m mindir`."""

import os
import subprocess
import sys

import pytest

import mindir as ms


def run(*arguments, cwd=None):
    environment = dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(os.path.abspath(ms.__file__))))
    return subprocess.run([sys.executable, "-m", "mindir", *arguments], capture_output=True, text=True, cwd=cwd,
                          env=environment)


def test_context():
    assert ms.get_context("mode") == ms.PYNATIVE_MODE
    for settings, word in (({"mode": 7}, "mode"), ({"no_such_key": 1}, "no_such_key"), ({"device_target": "TPU"}, "TPU"),
                           ({"mode": True}, "mode")):
        with pytest.raises(ValueError, match=word):
            ms.set_context(**settings)
    with pytest.raises(ValueError):
        ms.set_context(mode=ms.GRAPH_MODE, no_such_key=1)
    assert ms.get_context("mode") == ms.PYNATIVE_MODE
    ms.set_context(save_graphs=True)
    assert ms.get_context("save_graphs") == 2
    ms.reset_context()
    assert ms.get_context("save_graphs") == 0


def test_missing_names():
    with pytest.raises(AttributeError, match="mindspore.ops.fft is not implemented in MindIR"):
        ms.ops.fft
    with pytest.raises(AttributeError, match="mindspore.nn.LSTM is not implemented in MindIR"):
        ms.nn.LSTM


def test_knobs(monkeypatch):
    from mindir import knobs
    monkeypatch.setenv("MINDIR_NUM_THREADS", "3")
    assert knobs.get("MINDIR_NUM_THREADS") == 3
    monkeypatch.setenv("MINDIR_NUM_THREADS", "three")
    with pytest.raises(ValueError, match="MINDIR_NUM_THREADS"):
        knobs.get("MINDIR_NUM_THREADS")
    with pytest.raises(KeyError):
        knobs.get("MINDIR_NOTHING")


def test_code():
    result = run("-c", "import sys, mindspore as ms; from mindspore import nn; "
                 "from mindspore.common.initializer import HeNormal; import mindir; "
                 "print(ms is mindir, HeNormal.__module__, sys.argv)", "a", "b")
    assert result.stdout.strip() == "True mindir.common.initializer ['-c', 'a', 'b']", result.stderr


def test_script(tmp_path):
    (tmp_path / "helper.py").write_text("import mindspore.nn as nn\nVALUE = nn.ReLU.__name__\n")
    script = tmp_path / "train.py"
    script.write_text("import sys, helper\nprint(__name__, helper.VALUE, sys.argv[1:])\nsys.exit(3)\n")
    result = run(str(script), "--epochs", "2")
    assert (result.stdout.strip(), result.returncode) == ("__main__ ReLU ['--epochs', '2']", 3), result.stderr


def test_module(tmp_path):
    (tmp_path / "job.py").write_text("import mindspore\nprint(__name__, mindspore.float32)\n")
    assert run("-m", "job", cwd=tmp_path).stdout.strip() == "__main__ Float32"


def test_failures(tmp_path):
    result = run("-c", "import mindspore.no_such_part")
    assert "ModuleNotFoundError: mindspore.no_such_part is not implemented in MindIR" in result.stderr
    result = run("-c", "from mindspore.nn import LSTM")
    assert "ImportError" in result.stderr and "LSTM" in result.stderr
    assert run(str(tmp_path / "none.py")).returncode == 2
    assert "usage" in run().stderr
    script = tmp_path / "bad.py"
    script.write_text("import mindspore\n\nraise KeyError('x')\n")
    result = run(str(script))
    assert f'File "{script}", line 3' in result.stderr and result.returncode == 1
