"""Reports which pages of the guides have no Japanese translation, or one that differs in sections, tables or code.

Usage: translations.py; the exit code is always 0, so that an English page can change before its translation.
"""

import pathlib

ROOT = pathlib.Path(__file__).parent.parent
NAMES = ["sections", "rows of tables", "code"]


def parts(page):
    """The levels of the headings, the number of table rows, and the blocks of Swift of a page."""
    headings, rows, blocks, block = [], 0, [], None
    for line in page.read_text().splitlines():
        if line.startswith("```"):
            if block is not None and block[0] == "```swift":
                blocks.append(block)
            block = [line] if block is None else None
        elif block is not None:
            block.append(line)
        elif line.startswith("#"):
            headings.append(line.split(" ")[0])
        elif line.startswith("|"):
            rows += 1
    return headings, rows, blocks


def report(page, translation):
    """The line to print for a page; None if its translation is complete."""
    if not translation.exists():
        return f"{page.relative_to(ROOT)}: no translation"
    # The first page of a module lists its symbols, which the translation does not.
    if page.read_text().startswith("# ``"):
        return None
    differing = [name for name, one, other in zip(NAMES, parts(page), parts(translation)) if one != other]
    return f"{page.relative_to(ROOT)}: the translation differs in {', '.join(differing)}" if differing else None


pages = {page: page.parent / "ja" / f"{page.stem}JA.md" for page in sorted(ROOT.glob("Sources/*/*.docc/*.md"))}
pages[ROOT / "README.md"] = ROOT / "Docs/README.ja.md"
lines = [line for page, translation in pages.items() if (line := report(page, translation))]
print(f"{len(pages) - len(lines)} of {len(pages)} pages have a Japanese translation that matches")
print("\n".join(lines), end="\n" if lines else "")
