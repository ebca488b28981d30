"""Prints the percentage of documented public symbols of each module; fails below 100 %, with the undocumented symbols.

Usage: documented.py FOLDER MODULE…; the folder contains the symbol graphs that the compiler wrote.

Declared symbols are counted: types, members, cases, and extensions of types of other modules. Not counted are
- symbols without a source location, which the compiler synthesizes: `init(from:)`, `init(rawValue:)` and `==`;
- extension blocks: their members are counted;
- symbols of other platforms, which the compiler does not see here.
A comment that is inherited from a protocol of another module does not count.
"""

import json
import pathlib
import sys


def is_counted(symbol):
    return "location" in symbol and symbol["kind"]["identifier"] != "swift.extension"


def is_documented(symbol, module):
    comment = symbol.get("docComment", {})
    lines = [line["text"].strip() for line in comment.get("lines", [])]
    return comment.get("module", module) == module and any(lines)


def place(symbol):
    location = symbol["location"]
    file = location["uri"].removeprefix("file://").removeprefix(f"{pathlib.Path.cwd()}/")
    return f"{file}:{location['position']['line'] + 1}: {'.'.join(symbol['pathComponents'])}"


def main(folder, *modules):
    missing = []
    for module in modules:
        # `StartSmall@Swift.symbols.json` contains the extensions of Swift's types by StartSmall.
        graphs = [pathlib.Path(folder, f"{module}.symbols.json"), *pathlib.Path(folder).glob(f"{module}@*.symbols.json")]
        symbols = [symbol for graph in graphs for symbol in json.loads(graph.read_text())["symbols"]]
        counted = [symbol for symbol in symbols if is_counted(symbol)]
        if not counted:
            sys.exit(f"no public symbol in {module}: are these its graphs?")
        bare = [symbol for symbol in counted if not is_documented(symbol, module)]
        missing += map(place, bare)
        documented = len(counted) - len(bare)
        # Rounded down, so that 100 % means all symbols.
        print(f"{module:20}{documented:5} of {len(counted):5} public symbols documented {documented * 100 // len(counted):4} %")
    if missing:
        sys.exit("not documented:\n" + "\n".join(sorted(missing)))


main(*sys.argv[1:])
