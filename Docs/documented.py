"""Prints the percentage of documented public symbols of each module; fails below 100 %, with the undocumented symbols.

Fails, too, if the comment of a function with two or more parameters does not describe each of them. A parameter of an
initializer that has the name of a documented property of its type is described there. Parameters that several functions
share are described by the function that `- SeeAlso:` names, and the text names a further one in code.

Usage: documented.py FOLDER MODULE…; the folder contains the symbol graphs that the compiler wrote.

Declared symbols are counted: types, members, cases, and extensions of types of other modules. Not counted are
- symbols without a source location, which the compiler synthesizes: `init(from:)`, `init(rawValue:)` and `==`;
- extension blocks: their members are counted;
- symbols of other modules, which the graph of a module that exports them contains, too;
- symbols of other platforms, which the compiler does not see here.
A comment that is inherited from a protocol of another module does not count.
"""

import json
import pathlib
import re
import sys


def is_counted(symbol, module):
    folders = symbol.get("location", {}).get("uri", "").rpartition("/Sources/")[2].split("/")
    return module in folders[:2] and symbol["kind"]["identifier"] != "swift.extension"


def is_documented(symbol, module):
    comment = symbol.get("docComment", {})
    lines = [line["text"].strip() for line in comment.get("lines", [])]
    return comment.get("module", module) == module and any(lines)


def comment_of(symbol):
    return "\n".join(line["text"] for line in symbol.get("docComment", {}).get("lines", []))


def described_parameters(comment):
    return set(re.findall(r"^\s*- (?:Parameter )?`?(\w+)`?:", comment, re.MULTILINE))


def bare_parameters(symbol, properties, functions):
    """The parameters that the comment of a function with two or more of them does not describe.

    `properties` has the paths of the documented properties, and `functions` the parameters that the comments of
    functions describe, by their names.
    """
    # The operands of an operator have no names that a caller sees.
    if not symbol["kind"]["identifier"].endswith((".func", ".method", ".type.method", ".init")):
        return []
    signature = symbol.get("functionSignature", {})
    parameters = [each.get("internalName", each["name"]) for each in signature.get("parameters", [])]
    if len(parameters) < 2:
        return []
    comment = comment_of(symbol)
    described = described_parameters(comment)
    for name in re.findall(r"- SeeAlso: ``(?:\w+/)*([^`/]+?)(?:-\([^`]*\))?``", comment):
        described |= functions.get(name, set()).union(re.findall(r"(?<!`)`(\w+)`", comment))
    if symbol["kind"]["identifier"].endswith(".init"):
        described |= {path[-1] for path in properties if list(path[:-1]) == symbol["pathComponents"][:-1]}
    return [name for name in parameters if name not in described]


def place(symbol):
    location = symbol["location"]
    file = location["uri"].removeprefix("file://").removeprefix(f"{pathlib.Path.cwd()}/")
    return f"{file}:{location['position']['line'] + 1}: {'.'.join(symbol['pathComponents'])}"


def main(folder, *modules):
    missing, incomplete, functions = [], [], {}
    for module in modules:
        # `StartSmall@Swift.symbols.json` contains the extensions of Swift's types by StartSmall.
        extensions = pathlib.Path(folder).glob(f"{module}@*.symbols.json")
        graphs = [pathlib.Path(folder, f"{module}.symbols.json"), *extensions]
        symbols = [symbol for graph in graphs for symbol in json.loads(graph.read_text())["symbols"]]
        counted = [symbol for symbol in symbols if is_counted(symbol, module)]
        if not counted:
            sys.exit(f"no public symbol in {module}: are these its graphs?")
        bare = [symbol for symbol in counted if not is_documented(symbol, module)]
        missing += map(place, bare)
        properties = {
            tuple(symbol["pathComponents"])
            for symbol in counted
            if symbol["kind"]["identifier"].endswith(".property") and is_documented(symbol, module)
        }
        for symbol in counted:
            functions.setdefault(symbol["pathComponents"][-1], set()).update(described_parameters(comment_of(symbol)))
        for symbol in counted:
            if names := bare_parameters(symbol, properties, functions):
                incomplete.append(f"{place(symbol)}: {', '.join(names)}")
        documented = len(counted) - len(bare)
        # Rounded down, so that 100 % means all symbols.
        percentage = documented * 100 // len(counted)
        print(f"{module:20}{documented:5} of {len(counted):5} public symbols documented {percentage:4} %")
    if missing:
        sys.exit("not documented:\n" + "\n".join(sorted(missing)))
    if incomplete:
        sys.exit("parameters not documented:\n" + "\n".join(sorted(set(incomplete))))


main(*sys.argv[1:])
