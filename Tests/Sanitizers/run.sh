#!/usr/bin/env bash
# Runs the tests under the sanitizers: first for addresses and leaks, then for threads.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

[ "$(uname)" = Linux ] || { echo "the engine over libcurl is for Linux" >&2; exit 1; }
swift=${SWIFT:-swift}
# Test the contract for one engine only: reports from URLSession concern Foundation.
export STARTSMALL_ENGINES=curl,curl2
# Longer time limits, since sanitizers slow the tests down.
export STARTSMALL_SANITIZED=1
# Tests are selected by the names of their suites and functions, not by their titles.
#
# Tests that measure memory, which would measure the sanitizer's memory.
measuring='CurlThriftTests/memory|CurlStreamTests/'
# Tests with leaks that are not StartSmall's: URLSession leaks parts of URLs in libcurl, a child of fork does not have
# the threads whose stacks refer to memory in use, and a process that exits during calls has not freed their memory.
losing='URLSession|CurlLifeTests/(fork|exitsUnderLoad)\('

call() {
    local start=$SECONDS
    echo "+ $*"
    "$@" || return
    echo "= took $((SECONDS - start)) s"
}

# Usage: build SANITIZER.
build() { call "$swift" build --build-tests --sanitize="$1" --scratch-path ".build/sanitize-$1"; }

# Usage: run SANITIZER OPTIONS VARIABLE OPTION…; the first options are for the sanitizer, the last for `swift test`.
run() {
    local sanitizer=$1 options=$2 variable=$3
    shift 3
    # Reports are written into files, since the output of processes that tests start is not read.
    local reports=$PWD/.build/sanitize-$sanitizer/reports
    rm -rf "$reports"
    mkdir "$reports"
    # Two tests at a time: with more, the slowed-down tests would exceed their time limits.
    call env SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=2 "${options/=/=log_path=$reports/report:}" "$variable" \
        "$swift" test --skip-build --sanitize="$sanitizer" --scratch-path ".build/sanitize-$sanitizer" "$@" && return
    find "$reports" -type f -exec cat {} + >&2
    exit 1
}

# First check that each suppressed report occurs, and that the suppressions hide no other leak.
scratch=.build/sanitize-address
mkdir -p "$scratch"
known=suppressions=$PWD/Tests/Sanitizers/leaks.supp:print_suppressions=0
call "${swift}c" -use-ld=lld -sanitize=address -swift-version 5 Tests/Sanitizers/leaks.swift -o "$scratch/leaks"
for word in global weak empty process; do
    "$scratch/leaks" $word 2>/dev/null && echo "note: this toolchain needs a line less in leaks.supp: $word"
done
LSAN_OPTIONS=$known "$scratch/leaks" global weak empty process
if LSAN_OPTIONS=$known "$scratch/leaks" ours 2>/dev/null; then echo "a leak was not reported" >&2; exit 1; fi

build address
run address ASAN_OPTIONS=detect_leaks=1 "LSAN_OPTIONS=$known" --skip "$measuring|$losing"
run address ASAN_OPTIONS=detect_leaks=0 LSAN_OPTIONS= --filter "$losing"

# First check that mutex_order.c is needed, is sufficient, and hides no race.
scratch=.build/sanitize-thread
mkdir -p "$scratch"
order=$PWD/$scratch/mutex_order.so
call clang -O2 -fPIC -shared -Wall -Wextra -Werror Tests/Sanitizers/mutex_order.c -o "$order"
call "${swift}c" -sanitize=thread -swift-version 5 Tests/Sanitizers/proof.swift -o "$scratch/proof"
"$scratch/proof" 2>/dev/null && echo "note: this toolchain needs no mutex_order.c any more"
LD_PRELOAD=$order "$scratch/proof"
if LD_PRELOAD=$order "$scratch/proof" race 2>/dev/null; then echo "a race was not reported" >&2; exit 1; fi

# Then check that the suppressed race is a false report.
call "${swift}c" -sanitize=thread -swift-version 5 -parse-as-library Tests/Sanitizers/early.swift -o "$scratch/early"
"$scratch/early" 2>/dev/null && echo "note: this toolchain needs no thread.supp any more"
"$scratch/early" late

build thread
run thread "TSAN_OPTIONS=suppressions=$PWD/Tests/Sanitizers/thread.supp" "LD_PRELOAD=$order" --skip "$measuring"
