"""`python -m mindir script.py args`, `-m module args`, `-c code args`: runs MindSpore programs.

`import mindspore` means this package there. Everything else is as if Python
itself had been asked: `sys.argv`, `__main__`, the folder of the script on the
path, tracebacks, exit codes.
"""

import os
import runpy
import sys
import types

from . import alias
from .frontend import explain

_USAGE = """usage: python -m mindir [--explain] (script.py | -m module | -c code) [arguments]
  --explain  at the end, tells on stderr what jit compiled, what ran as Python and why"""


def main(arguments):
    """Runs the program that the command line names. SystemExit(2) with the usage for a bad one."""
    alias.install()
    if arguments[:1] == ["--explain"]:
        reports = explain.collect()
        try:
            return main(arguments[1:])
        finally:
            print(explain.summary(reports), file=sys.stderr)
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_USAGE, file=sys.stderr if not arguments else sys.stdout)
        raise SystemExit(0 if arguments else 2)
    if arguments[0] in ("-m", "-c"):
        if len(arguments) < 2:
            print(_USAGE, file=sys.stderr)
            raise SystemExit(2)
        (_run_module if arguments[0] == "-m" else _run_code)(arguments[1], arguments[2:])
    else:
        _run_script(arguments[0], arguments[1:])


def _run_module(name, arguments):
    sys.argv = [name, *arguments]
    if sys.path[0] != "":
        sys.path.insert(0, os.getcwd())
    runpy.run_module(name, run_name="__main__", alter_sys=True)


def _run_code(text, arguments):
    sys.argv = ["-c", *arguments]
    sys.path.insert(0, "")
    _execute(compile(text, "<string>", "exec"))


def _run_script(path, arguments):
    if not os.path.exists(path):
        print(f"{sys.executable}: expected a script, found no file {path!r}", file=sys.stderr)
        raise SystemExit(2)
    sys.argv = [path, *arguments]
    if os.path.isdir(path):
        runpy.run_path(path, run_name="__main__")
        return
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    with open(path, "rb") as file:
        code = compile(file.read(), path, "exec")
    _execute(code, __file__=path)


def _execute(code, **names):
    """Runs code as the module `__main__`, which stays importable and picklable from."""
    module = types.ModuleType("__main__")
    module.__dict__.update(names, __builtins__=__builtins__)
    sys.modules["__main__"] = module
    exec(code, module.__dict__)


if __name__ == "__main__":
    main(sys.argv[1:])
