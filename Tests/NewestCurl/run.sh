#!/usr/bin/env bash
# Runs the contract suite and the tests of the engine over the newest libcurl, which the pycurl wheel on PyPI bundles,
# if the system has an older one, and those of HTTP/3 with a server that uses aioquic, from PyPI too. Nothing is
# installed: the wheels are unpacked into .build. As root, name lookups are tested in a mount namespace, too.
#
# Requires Python 3 with pip, and a Linux for which pycurl and aioquic have wheels. Builds the tests if necessary.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

directory="$PWD/.build/newest-curl"
rm -rf "$directory"
mkdir -p "$directory"
python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$directory" pycurl
# A wheel is a zip archive (PEP 427), which Python unpacks on every platform.
python3 -m zipfile --extract "$directory"/pycurl-*.whl "$directory/wheel"
libraries="$directory/wheel/pycurl.libs"
[ -d "$libraries" ] || libraries="$directory/wheel/pycurl/.libs"
# In the same directory as the other libraries, since the loader searches the directory of the opened name. The server
# of the tests shares the TLS library with libcurl: two versions in one process take each other's functions.
(
    cd "$libraries"
    ln -s libcurl-*.so.4* libcurl.so.4
    for name in ssl crypto; do ln -s "$(echo lib$name-*.so.3)" "lib$name.so.3"; done
)

version="$(python3 -c 'import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
library.curl_version.restype = ctypes.c_char_p
print(library.curl_version().decode())' "$libraries/libcurl.so.4")"
echo "over $version"

python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --only-binary :all: \
    --target "$directory/python" aioquic
# The server ends when its input does: with this script.
coproc SERVER { PYTHONPATH="$directory/python" exec python3 Tests/NewestCurl/http3_server.py "$directory"; }
for _ in $(seq 100); do
    [ -f "$directory/ports" ] && break
    kill -0 "$SERVER_PID" 2>/dev/null || { echo "the server of HTTP/3 has ended" >&2; exit 1; }
    sleep 0.1
done
export STARTSMALL_HTTP3="$(cat "$directory/ports") $directory/ca.pem"

# Name lookups, with a name server that never answers; the other tests in that namespace are of the system's libcurl.
if [ "$(id -u)" = 0 ] && command -v openssl >/dev/null; then
    LIBRARIES="$libraries" FILTER=CurlLookupTests Tests/MountNamespace/run.sh "$@"
fi

export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
# The version of the library, for the test that checks that this library is loaded.
export STARTSMALL_LIBCURL="${version%% *}" STARTSMALL_ENGINES=curl,curl2
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8
${SWIFT:-swift} test "$@" --filter 'ConnectorContract|Curl|StandardConnectorTests'
