#!/usr/bin/env bash
# Prints the twenty slowest tests of a run, in seconds, from the events that `swift test --event-stream-output-path`
# writes. The duration of a test is right only if no other test ran at the same time.
set -euo pipefail

awk '
    !/"kind":"test(Started|Ended)"/ { next }
    match($0, /"absolute":[0-9.]+/) {
        time = substr($0, RSTART + 11, RLENGTH - 11)
        # Of suites, which have no line in a file, the duration is that of their tests.
        if (!match($0, /"testID":"[^"]*\.swift:[0-9]+:[0-9]+"/)) next
        name = substr($0, RSTART + 10, RLENGTH - 11)
        gsub(/\\\//, "/", name)
        if ($0 ~ /"kind":"testStarted"/) start[name] = time
        else printf "%7.2f s  %s\n", time - start[name], name
    }
' "$1" | sort --reverse --numeric-sort | sed -n 1,20p
