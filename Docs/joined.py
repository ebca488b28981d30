"""Joins the symbol graphs of several modules into those of one, so that the documentation of a library is one site.

Usage: joined.py FOLDER NAME MODULE…; replaces the graphs of the modules in the folder by NAME.symbols.json and, for
each extended module outside of the library, NAME@EXTENDED.symbols.json. In the graphs of other modules in the folder, a
type of one of the modules is a type of NAME. Symbols that a module only exports are left out.
"""

import json
import pathlib
import sys


def own(graph, modules):
    """Leaves out symbols whose source is not one of the modules."""
    known = {
        each["identifier"]["precise"]
        for each in graph["symbols"]
        if not set(modules).isdisjoint(each.get("location", {}).get("uri", "").rpartition("/Sources/")[2].split("/")[:2])
    }
    # Their extension blocks, too.
    known |= {each["target"] for each in graph["relationships"] if each["source"] in known and each["kind"] == "memberOf"}
    graph["symbols"] = [each for each in graph["symbols"] if each["identifier"]["precise"] in known]
    graph["relationships"] = [each for each in graph["relationships"] if each["source"] in known]
    return graph


def unextended(graph):
    """Makes the members of extension blocks members of the extended types, which are in the same graph then."""
    extended = {each["source"]: each["target"] for each in graph["relationships"] if each["kind"] == "extensionTo"}
    graph["symbols"] = [each for each in graph["symbols"] if each["kind"]["identifier"] != "swift.extension"]
    graph["relationships"] = [each for each in graph["relationships"] if each["kind"] != "extensionTo"]
    for each in graph["relationships"]:
        each["source"] = extended.get(each["source"], each["source"])
        each["target"] = extended.get(each["target"], each["target"])
    for each in graph["symbols"]:
        each.pop("swiftExtension", None)
    return graph


def main(folder, name, *modules):
    folder, joined = pathlib.Path(folder), {}
    for path in sorted(folder.glob("*.symbols.json")):
        module, _, extended = path.name.removesuffix(".symbols.json").partition("@")
        text = path.read_text()
        path.unlink()
        for each in modules:
            text = text.replace(f'"extendedModule":"{each}"', f'"extendedModule":"{name}"')
        graph = json.loads(text)
        if module in modules:
            graph = own(graph, modules)
            if extended in modules:
                graph, extended = unextended(graph), ""
            module = graph["module"]["name"] = name
        elif extended in modules:
            extended = name
        if not graph["symbols"]:
            continue
        whole = joined.setdefault((module, extended), graph)
        if whole is not graph:
            whole["symbols"] += graph["symbols"]
            whole["relationships"] += graph["relationships"]
    for (module, extended), graph in joined.items():
        # Several modules may extend one type, and state the same about it.
        graph["symbols"] = list({each["identifier"]["precise"]: each for each in graph["symbols"]}.values())
        graph["relationships"] = [json.loads(each) for each in {json.dumps(each): 0 for each in graph["relationships"]}]
        path = folder / f"{module}{'@' if extended else ''}{extended}.symbols.json"
        path.write_text(json.dumps(graph))


main(*sys.argv[1:])
