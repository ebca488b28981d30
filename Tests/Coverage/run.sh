#!/usr/bin/env bash
# Runs the tests with code coverage, and prints the line coverage of each file of the library. `report.py`
# defines the required coverage of a file; `excused.txt` lists the blocks that no test on Linux can run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

[ "$(uname)" = Linux ] || { echo "what is excused is known for Linux only" >&2; exit 1; }
swift=${SWIFT:-swift}
# A separate build folder, since coverage changes all compiled code.
build=(--enable-code-coverage --scratch-path .build/coverage)

# llvm-cov is in the same directory as swift; that of another version may not read its counters. If swift is a shim
# (swiftly), llvm-cov is in PATH.
tool="$(dirname "$(readlink -f "$(command -v "$swift")")")/llvm-cov"
if [[ ! -x "$tool" ]]; then tool="$(command -v llvm-cov)"; fi

SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8 "$swift" test "${build[@]}"

binaries="$("$swift" build "${build[@]}" --show-bin-path)"
sources=(Sources/{Core,Engines,StartSmall} Sources/Products/StartSmall{Streams,Auth,Forms,Downloads,JSON,Diagnostics})
export_lines() { # PROFILE ARGUMENT…
    "$tool" export -instr-profile "$1" "$binaries/StartSmallPackageTests.xctest" "${@:2}" "${sources[@]}"
}
export_lines "$binaries/codecov/default.profdata" -format=lcov >.build/coverage/lines.info
python3 Tests/Coverage/report.py .build/coverage/lines.info

# The test of one call, with its server in the same process.
"$swift" test "${build[@]}" --skip-build --filter 'StandardConnectorTests/get' >/dev/null
export_lines "$binaries/codecov/default.profdata" | python3 Tests/Coverage/path.py
