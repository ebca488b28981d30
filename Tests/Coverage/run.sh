#!/usr/bin/env bash
# Runs the tests with counters in the code, and prints which share of the lines of each file of Sources/StartSmall they ran.
# `report.py` beside this says what is asked of a file, `excused.txt` what no test on Linux can run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

[ "$(uname)" = Linux ] || { echo "what is excused is known for Linux only" >&2; exit 1; }
swift=${SWIFT:-swift}
# A build folder of its own, since counters change all that is compiled.
build=(--enable-code-coverage --scratch-path .build/coverage)

# llvm-cov lives beside swift; another one may not know the form of its counters. Where swift is a shim (swiftly), it is in
# PATH.
tool="$(dirname "$(readlink -f "$(command -v "$swift")")")/llvm-cov"
if [[ ! -x "$tool" ]]; then tool="$(command -v llvm-cov)"; fi

SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8 "$swift" test "${build[@]}"

binaries="$("$swift" build "${build[@]}" --show-bin-path)"
"$tool" export -format=lcov -instr-profile "$binaries/codecov/default.profdata" \
    "$binaries/StartSmallPackageTests.xctest" Sources/StartSmall >.build/coverage/lines.info
python3 Tests/Coverage/report.py .build/coverage/lines.info
