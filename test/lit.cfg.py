"""How lit runs the .mlir tests.

`--param roundtrip=1` makes every ms-opt also print, parse and compare its module
(--verify-roundtrip), so that each test is one of the printer, the parser and the
bytecode too.
"""

import os

import lit.formats

config.name = "MindIR"
config.test_format = lit.formats.ShTest(False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.mindir_build_dir, "test")

tools = os.path.join(config.mindir_build_dir, "bin")
path = [tools, config.llvm_tools_dir, config.environment["PATH"]]
config.environment["PATH"] = os.pathsep.join(path)
config.environment["FILECHECK_OPTS"] = "-enable-var-scope --allow-unused-prefixes=false"

if lit_config.params.get("roundtrip"):
    config.substitutions.append((r"\bms-opt\b", "ms-opt --verify-roundtrip"))
config.substitutions.append(("%python", config.python))
