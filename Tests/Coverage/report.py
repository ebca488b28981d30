"""Prints the line coverage of each file of the library; fails if a file is below 95 %.

Usage: report.py FILE; the file is the output of `llvm-cov export -format=lcov`. The lines that were not run follow the
name of the file, in parentheses if they are excused.

Lines that contain only brackets are not counted: after an endless loop, they are unreachable.

The blocks in `excused.txt` are not counted, each with the reason why no test can run it. A block is a sequence of
lines that were not run. It is identified by the text of its first line, as line numbers change. If a test runs a
block, remove the block from the list. Code for other platforms is not compiled here, and therefore not counted.
"""

import pathlib
import sys

FOLDER = "Sources/"
LEAST = 95


def counts(info):
    """Returns the run count of each line, by file, relative to the root, and line number."""
    files = {}
    for record in info.read_text().splitlines():
        key, _, value = record.partition(":")
        if key == "SF":
            lines = files.setdefault(FOLDER + value.partition(FOLDER)[2], {})
        elif key == "DA":
            number, count = map(int, value.split(",")[:2])
            lines[number] = max(count, lines.get(number, 0))
    return files


def blocks(lines):
    """Returns the sequences of lines that were not run; uncounted lines, such as comments, do not end a sequence."""
    rows, row = [], []
    for number in sorted(lines):
        if lines[number] == 0:
            row.append(number)
        elif row:
            rows.append(row)
            row = []
    return rows + [row] if row else rows


def excuses():
    """Returns the blocks that no test can run: their files, each with the texts of first lines."""
    found, file = {}, None
    for line in pathlib.Path(__file__).with_name("excused.txt").read_text().splitlines():
        if line.startswith(FOLDER):
            file = line
            found[file] = set()
        elif line and not line.startswith(("#", "  ")):
            found[file].add(line)
    return found


def main(info):
    excused, failures = excuses(), []
    total = run = 0
    for file, lines in sorted(counts(pathlib.Path(info)).items()):
        text = pathlib.Path(file).read_text().splitlines()
        lines = {number: count for number, count in lines.items() if text[number - 1].strip(" )]}")}
        missed, used = [], set()
        for row in blocks(lines):
            first = text[row[0] - 1].strip()
            place = str(row[0]) if len(row) == 1 else f"{row[0]}–{row[-1]}"
            if first in excused.get(file, ()):
                used.add(first)
                lines = {number: count for number, count in lines.items() if number not in row}
                missed.append(f"({place})")
            else:
                missed.append(place)
        failures += [f"{file}: was run, or is not there any more: {line}" for line in excused.pop(file, set()) - used]
        covered = sum(count > 0 for count in lines.values())
        total, run = total + len(lines), run + covered
        if covered * 100 < LEAST * len(lines):
            failures.append(f"{file}: {covered} of {len(lines)} lines")
        share = covered * 100 / len(lines) if lines else 100
        print(f"{share:6.1f} % {file.removeprefix(FOLDER):56} {', '.join(missed)}".rstrip())
    if not total:
        sys.exit(f"no line of {FOLDER}")
    print(f"{run * 100 / total:6.1f} % of all {total} lines")
    failures += [f"{file}: not compiled here" for file in excused]
    if failures:
        sys.exit(f"below {LEAST} %, or wrongly excused:\n" + "\n".join(failures))


main(*sys.argv[1:])
