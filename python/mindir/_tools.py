"""The command-line tools of an installed package: its folder `bin`, as commands."""

import functools
import os
import sys


def _run(name, extra=lambda arguments: []):
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", name)
    if not os.path.exists(path):
        print(f"{name}: expected the program {path}, found none; install the wheel again, or use build/bin of a checkout",
              file=sys.stderr)
        raise SystemExit(1)
    arguments = sys.argv[1:]
    os.execv(path, [path, *arguments, *extra(arguments)])


def _this_python(arguments):
    """Captures by the Python that runs this, unless another is named."""
    named = any(a.split("=")[0].lstrip("-") == "python" for a in arguments)
    return [] if named else [f"--python={sys.executable}"]


ms_compile = functools.partial(_run, "ms-compile", _this_python)
ms_lsp_server = functools.partial(_run, "ms-lsp-server")
ms_opt = functools.partial(_run, "ms-opt")
ms_reduce = functools.partial(_run, "ms-reduce")
ms_run = functools.partial(_run, "ms-run")
ms_translate = functools.partial(_run, "ms-translate")
