"""Prints the number of files and types that run in a GET, and the files; without those of its server, a stub.

Usage: path.py <EXPORT; EXPORT is the output of `llvm-cov export` for a run of one call.
"""

import json
import re
import subprocess
import sys

FOLDER = "Sources/"


def types(functions):
    """Returns the types to which functions belong, by their demangled names."""
    names = "\n".join(function["name"].rpartition(":")[2] for function in functions)
    lines = subprocess.run(["swift", "demangle", "--simplified"], input=names, capture_output=True, text=True, check=True)
    found = (re.search(r"(?:^|[ :(])((?:[A-Z]\w*\.)*[A-Z]\w*)(?:<[^.]*>)?\.", line) for line in lines.stdout.splitlines())
    return {match.group(1) for match in found if match}


def is_ours(file):
    return FOLDER in file and f"{FOLDER}Products/StartSmallTesting/" not in file


def main():
    functions = [function for part in json.load(sys.stdin)["data"] for function in part["functions"]]
    run = [function for function in functions if function["count"] and is_ours(function["filenames"][0])]
    files = sorted({function["filenames"][0].partition(FOLDER)[2] for function in run})
    print(f"on the way of a GET: {len(files)} files, {len(types(run))} types")
    print("\n".join(files))


main()
