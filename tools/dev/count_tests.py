"""Prints one suite's counts from its JUnit XML file: "lit: 12 passed, 0 failed".

Usage: count_tests.py SUITE FILE. Exits with 1 if a test failed, if the file is
missing, or if no test ran.
"""

import sys
import xml.etree.ElementTree as ElementTree


def count(path):
    """Returns (passed, failed, skipped) of a JUnit XML file."""
    passed = failed = skipped = 0
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        tags = {child.tag for child in case}
        if tags & {"failure", "error"} or case.get("status") == "fail":
            failed += 1
        elif "skipped" in tags or case.get("status") in ("notrun", "disabled"):
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


def main():
    suite, path = sys.argv[1:]
    try:
        passed, failed, skipped = count(path)
    except (OSError, ElementTree.ParseError) as error:
        print(f"{suite}: no result ({error})")
        return 1
    print(f"{suite}: {passed} passed, {failed} failed, {skipped} skipped")
    return int(failed > 0 or passed == 0)


if __name__ == "__main__":
    sys.exit(main())
