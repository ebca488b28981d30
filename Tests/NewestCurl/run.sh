#!/usr/bin/env bash
# Runs the contract suite and the tests of the engine over the newest libcurl, which the wheel of pycurl on PyPI bundles,
# where a system brings an older one. Nothing is installed: the wheel is unpacked into .build.
#
# Needs Python 3 with pip, a Linux for which pycurl has a wheel, and tests that are built, or builds them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

directory="$PWD/.build/newest-curl"
rm -rf "$directory"
mkdir -p "$directory"
python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$directory" pycurl
# A wheel is a zip archive (PEP 427), and so Python opens it everywhere.
python3 -m zipfile --extract "$directory"/pycurl-*.whl "$directory/wheel"
libraries="$directory/wheel/pycurl.libs"
[ -d "$libraries" ] || libraries="$directory/wheel/pycurl/.libs"
# Beside the others: they are found in the directory of the name that is opened.
(cd "$libraries" && ln -s libcurl-*.so.4* libcurl.so.4)

version="$(python3 -c 'import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
library.curl_version.restype = ctypes.c_char_p
print(library.curl_version().decode())' "$libraries/libcurl.so.4")"
echo "over $version"

export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
# What the tests are told of the library, for the one that checks that it is this library which is loaded.
export STARTSMALL_LIBCURL="${version%% *}" STARTSMALL_ENGINES=curl
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8
exec ${SWIFT:-swift} test "$@" --filter 'ConnectorContract|Curl|StandardConnectorTests'
