#!/usr/bin/env bash
# Has a test write a HAR, and other programs read it: haralyzer and mitmproxy, which are fetched from PyPI into .build.
#
# Requires Python 3 with pip. Builds the tests if necessary.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

directory="$PWD/.build/har-readers"
rm -rf "$directory"
mkdir -p "$directory"
STARTSMALL_HAR="$directory/app.har" "${SWIFT:-swift}" test "$@" --filter HARReadersTests
# Some of the libraries of mitmproxy have no wheels.
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --prefer-binary \
    --target "$directory/python" haralyzer mitmproxy
PYTHONPATH="$directory/python" python3 Tests/HARReaders/read.py "$directory/app.har"
