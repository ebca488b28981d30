#!/usr/bin/env bash
# Runs the tests under both sanitizers.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

[ "$(uname)" = Linux ] || { echo "the engine over libcurl is for Linux" >&2; exit 1; }
swift=${SWIFT:-swift}
# The contract for one engine: what URLSession does under a sanitizer is Foundation's own.
export STARTSMALL_ENGINES=curl
# Those that measure memory or time would measure the sanitizer.
measuring='CurlThrift|CurlStream|hostile|limit of its own'

call() {
    local start=$SECONDS
    echo "+ $*"
    "$@"
    echo "= took $((SECONDS - start)) s"
}

# Usage: run SANITIZER VARIABLE=VALUE…; the variables are for the tests only.
run() {
    local sanitizer=$1
    shift
    local build=(--sanitize="$sanitizer" --scratch-path ".build/sanitize-$sanitizer")
    call "$swift" build --build-tests "${build[@]}"
    # Two at a time: slowed down as they are, they would starve each other into their limits of time.
    call env SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=2 "$@" "$swift" test --skip-build "${build[@]}" --skip "$measuring"
}

# Leaks are not looked for: that is still to be done, with a list of what is the runtime's own.
run address "ASAN_OPTIONS=detect_leaks=0"

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

run thread "LD_PRELOAD=$order" "TSAN_OPTIONS=suppressions=$PWD/Tests/Sanitizers/thread.supp"
