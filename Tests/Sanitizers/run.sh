#!/usr/bin/env bash
# Runs the tests under the sanitizers: for addresses and leaks, and then for threads.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

[ "$(uname)" = Linux ] || { echo "the engine over libcurl is for Linux" >&2; exit 1; }
swift=${SWIFT:-swift}
# The contract for one engine: what URLSession does under a sanitizer is Foundation's own.
export STARTSMALL_ENGINES=curl
# What a sanitizer slows down has more time.
export STARTSMALL_SANITIZED=1
# Tests are known here by the names of their suites and functions; their titles are not looked at.
#
# Those that measure memory would measure the sanitizer's.
measuring='CurlThriftTests/memory|CurlStreamTests/'
# Those in which what is lost is not ours: URLSession forgets parts of URLs in libcurl, a child of fork does not have the
# threads whose stacks lead to what is in use, and a process that ends in the midst of calls has not released theirs.
losing='URLSession|StandardConnectorTests/engine\(|CurlLifeTests/(fork|exitsUnderLoad)\('

call() {
    local start=$SECONDS
    echo "+ $*"
    "$@" || return
    echo "= took $((SECONDS - start)) s"
}

# Usage: build SANITIZER.
build() { call "$swift" build --build-tests --sanitize="$1" --scratch-path ".build/sanitize-$1"; }

# Usage: run SANITIZER OPTIONS VARIABLE OPTION…; the first options are the sanitizer's, the last are of `swift test`.
run() {
    local sanitizer=$1 options=$2 variable=$3
    shift 3
    # Into files, for nobody reads what the processes write that tests begin.
    local reports=$PWD/.build/sanitize-$sanitizer/reports
    rm -rf "$reports"
    mkdir "$reports"
    # Two at a time: slowed down as they are, they would starve each other into their limits of time.
    call env SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=2 "${options/=/=log_path=$reports/report:}" "$variable" \
        "$swift" test --skip-build --sanitize="$sanitizer" --scratch-path ".build/sanitize-$sanitizer" "$@" && return
    find "$reports" -type f -exec cat {} + >&2
    exit 1
}

# First that what is not to be reported as a leak would be, and that it hides no other.
scratch=.build/sanitize-address
mkdir -p "$scratch"
known=suppressions=$PWD/Tests/Sanitizers/leaks.supp:print_suppressions=0
call "${swift}c" -use-ld=lld -sanitize=address -swift-version 5 Tests/Sanitizers/leaks.swift -o "$scratch/leaks"
for word in global weak empty; do
    "$scratch/leaks" $word 2>/dev/null && echo "note: this toolchain needs a line less in leaks.supp: $word"
done
LSAN_OPTIONS=$known "$scratch/leaks" global weak empty
if LSAN_OPTIONS=$known "$scratch/leaks" ours 2>/dev/null; then echo "a leak was not reported" >&2; exit 1; fi

build address
run address ASAN_OPTIONS=detect_leaks=1 "LSAN_OPTIONS=$known" --skip "$measuring|$losing"
run address ASAN_OPTIONS=detect_leaks=0 LSAN_OPTIONS= --filter "$losing"

# First that the order told is needed, is enough, and hides no race.
scratch=.build/sanitize-thread
mkdir -p "$scratch"
order=$PWD/$scratch/mutex_order.so
call clang -O2 -fPIC -shared -Wall -Wextra -Werror Tests/Sanitizers/mutex_order.c -o "$order"
call "${swift}c" -sanitize=thread -swift-version 5 Tests/Sanitizers/proof.swift -o "$scratch/proof"
"$scratch/proof" 2>/dev/null && echo "note: this toolchain needs no mutex_order.c any more"
LD_PRELOAD=$order "$scratch/proof"
if LD_PRELOAD=$order "$scratch/proof" race 2>/dev/null; then echo "a race was not reported" >&2; exit 1; fi

# Then that the one thing that is not to be reported would be reported wrongly.
call "${swift}c" -sanitize=thread -swift-version 5 -parse-as-library Tests/Sanitizers/early.swift -o "$scratch/early"
"$scratch/early" 2>/dev/null && echo "note: this toolchain needs no thread.supp any more"
"$scratch/early" late

build thread
run thread "TSAN_OPTIONS=suppressions=$PWD/Tests/Sanitizers/thread.supp" "LD_PRELOAD=$order" --skip "$measuring"
