#!/usr/bin/env bash
# Runs the tests of Digest against what nobody here wrote: httpbin, from PyPI, curl, and on Debian Apache, whose packages
# are unpacked. Nothing is installed: all is in .build. Apache's module has MD5 only, without auth-int.
#
# Requires Python 3 with pip, and curl; for Apache also apt-get and dpkg. Builds the tests if necessary.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

directory="$PWD/.build/digest-peers"
rm -rf "$directory"
mkdir -p "$directory/documents"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target "$directory/python" httpbin

# Each server ends with this script.
servers=()
trap 'kill "${servers[@]}" 2>/dev/null || true' EXIT
export PYTHONPATH="$directory/python"
ports=($(python3 -c 'import socket
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(each.getsockname()[1] for each in sockets))'))
python3 -c 'import sys
from httpbin import app
app.run(port=int(sys.argv[1]), threaded=True)' "${ports[0]}" >"$directory/httpbin.log" 2>&1 &
servers+=($!)

if command -v apt-get >/dev/null && command -v dpkg >/dev/null; then
    (cd "$directory" && apt-get -q download apache2-bin libapr1 libaprutil1 >/dev/null 2>&1)
    for package in "$directory"/*.deb; do dpkg --extract "$package" "$directory/apache"; done
    modules="$directory/apache/usr/lib/apache2/modules"
    # A name has letters that are not ASCII. The realm has no quote: Apache compares an escaped one with another.
    python3 -c 'import hashlib
for user, password in [("Mufasa", "Circle of Life"), ("J\u00e4s\u00f8n", "a:b \u20ac")]:
    realm = "a b"
    print(user, realm, hashlib.md5(f"{user}:{realm}:{password}".encode()).hexdigest(), sep=":")
' >"$directory/users"
    mkdir "$directory/documents/once"
    for file in "a b.txt" once/a.txt; do echo in >"$directory/documents/$file"; done
    {
        for name in mpm_event authn_core authn_file authz_core authz_user auth_digest; do
            echo "LoadModule ${name}_module \"$modules/mod_$name.so\""
        done
        [ "$(id -u)" != 0 ] || printf 'User nobody\nGroup nogroup\n'
        cat <<CONFIGURATION
ServerName localhost
Listen 127.0.0.1:${ports[1]}
PidFile "$directory/apache.pid"
ErrorLog "$directory/apache.log"
DefaultRuntimeDir "$directory"
DocumentRoot "$directory/documents"
<Location "/">
    AuthType Digest
    AuthName "a b"
    AuthUserFile "$directory/users"
    Require valid-user
</Location>
<Location "/once/">
    AuthDigestNonceLifetime 0
</Location>
CONFIGURATION
    } >"$directory/apache.conf"
    libraries="$(dirname "$(find "$directory/apache" -name 'libapr-1.so.0' | head -1)")"
    LD_LIBRARY_PATH="$libraries" "$directory/apache/usr/sbin/apache2" -DFOREGROUND -f "$directory/apache.conf" &
    servers+=($!)
    export STARTSMALL_APACHE="http://127.0.0.1:${ports[1]}"
fi

for _ in $(seq 100); do
    curl --silent --output /dev/null "http://127.0.0.1:${ports[0]}/get" \
        && { [ -z "${STARTSMALL_APACHE:-}" ] || curl --silent --output /dev/null "$STARTSMALL_APACHE"; } && break
    sleep 0.1
done
export STARTSMALL_HTTPBIN="http://127.0.0.1:${ports[0]}"
${SWIFT:-swift} test "$@" --filter DigestPeersTests
