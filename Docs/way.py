"""Prints the way of a GET with JSON through the kit, file by file, in the order of the first calls.

`make way` runs it in gdb: each function of the kit gets a breakpoint. The way begins with the endpoint of the example
`get-json`, whose server is in the same process, and ends when its second endpoint is made. Engine and caller run on two
threads, so that their files alternate. The columns: functions of the file, the file, and its first function.
"""

import re
import subprocess

import gdb

FIRST = "Endpoints/EndpointFactories.swift"
OTHERS = re.compile(r"StartSmallTesting|StartSmallExamples")
# Written by the compiler: witnesses, outlined copies, metadata, thunks, and the storage of constants.
GENERATED = re.compile(r"(w[a-z]{2}|W[OlLhV].?|Ma|Mr|TW|T[AR]|Tm|vau|vpfi)$")

program = gdb.current_progspace().filename
files, order, first = {}, [], []


class Function(gdb.Breakpoint):
    def __init__(self, file, name, address):
        super().__init__(f"*{address:#x}", internal=True)
        self.file, self.symbol = file, name

    def stop(self):
        if not first:
            if not self.file.endswith(FIRST):
                return False
            first.append(self)
        elif first[0] is self:
            return True
        self.enabled = first[0] is self
        files.setdefault(self.file, []).append(self.symbol)
        order.append(self.file)
        return False


def functions():
    """Yields file, symbol and address of each function of the kit."""
    mappings = gdb.execute("info proc mappings", to_string=True).splitlines()
    base = next(int(line.split()[0], 16) for line in mappings if program in line)
    symbols = subprocess.run(["nm", "--defined-only", program], capture_output=True, text=True).stdout
    for address, name in re.findall(r"^(\w+) [tT] (\$s\w*StartSmall\w*|ccurl_\w+)$", symbols, re.M):
        line = gdb.find_pc_line(int(address, 16) + base)
        path = line.symtab.fullname() if line.symtab and line.line else ""
        _, found, file = path.partition("/Sources/")
        if found and not GENERATED.search(name) and not OTHERS.search(file):
            yield file, name, int(address, 16) + base


def readable(symbols):
    command = ["swift", "demangle", "--compact", "--simplified"]
    return subprocess.run(command, input="\n".join(symbols), capture_output=True, text=True).stdout.splitlines()


gdb.execute("set confirm off")
gdb.execute("starti", to_string=True)
for file, name, address in functions():
    Function(file, name, address)
gdb.execute("continue", to_string=True)
for (file, symbols), name in zip(files.items(), readable(symbols[0] for symbols in files.values())):
    print(f"{len(symbols):3}  {file:62} {name[:72]}")
swift = sum(file.endswith(".swift") for file in files)
changes = sum(one != other for one, other in zip(order, order[1:]))
print(f"{len(order)} functions in {swift} Swift files and {len(files) - swift} C files; {changes} changes of the file")
gdb.execute("kill", to_string=True)
