#!/usr/bin/env python3
"""Prints the twenty slowest tests of a run, with the sum of their cases, and says which take over two seconds.

Usage: report.py EVENTS WIDTH

EVENTS is the file that `swift test --event-stream-output-path` writes, and WIDTH the number of tests at a time. All
tests start at once, and then wait for their turn. The events name the turn of each case of a parameterized test, but not
that of another test. Tests take turns in the order in which they start, so that each gets the turn of a test that ends.
"""

import collections
import json
import re
import sys

LIMIT = 2.0


def durations(path, width):
    with open(path, encoding="utf-8") as file:
        events = [line["payload"] for line in map(json.loads, file) if line["kind"] == "event"]
    # Suites take no turn; of a test, the ID ends with its place.
    events = [event for event in events if re.search(r"\.swift:\d+:\d+$", event.get("testID", ""))]
    cases = collections.Counter(event["testID"] for event in events if event["kind"] == "testCaseStarted")
    waiting, began, sums, running = collections.deque(), {}, collections.defaultdict(float), 0
    for event in events:
        test, kind, now = event["testID"], event["kind"], event["instant"]["absolute"]
        if kind == "testStarted":
            waiting.extend([test] * max(cases[test], 1))
        elif kind == "testCaseStarted":
            sums[test] -= now
        elif kind == "testCaseEnded":
            sums[test] += now
            running -= 1
        elif kind == "testEnded" and test not in cases:
            if test in began:
                sums[test] = now - began[test]
                running -= 1
            elif test in waiting:
                waiting.remove(test)
        while running < width and waiting:
            running += 1
            began[waiting.popleft()] = now
    return sums


def main():
    sums = durations(sys.argv[1], int(sys.argv[2]))
    print("The slowest tests, in seconds, while others ran:")
    for test, seconds in sorted(sums.items(), key=lambda item: -item[1])[:20]:
        print(f"{seconds:7.2f}{' !' if seconds > LIMIT else '  '} {test}")


main()
