#!/usr/bin/env bash
# Runs the tests that need different system files, in a mount namespace with its own files: a host name with two
# addresses, a name server that never answers, and an authority that is trusted only by its hashed name in
# /etc/ssl/certs. Requires root, openssl, and Debian or a derived distribution, whose libcurl has that directory built in.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if ! unshare --mount true 2>/dev/null; then
    echo "skipped: this machine allows no mount namespace"
    exit 0
fi
if [ ! -e /etc/debian_version ]; then
    echo "skipped: the directory of certificates of this system's libcurl is not known"
    exit 0
fi

files="$(mktemp -d)"
server=
trap 'rm -rf "$files"; if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi' EXIT

cp /etc/hosts "$files/hosts"
printf '127.0.0.2 two-addresses.test\n127.0.0.3 two-addresses.test\n' >>"$files/hosts"

# The name server is a socket of the test, of which the system awaits an answer for two seconds.
printf 'nameserver 127.0.0.9\noptions timeout:2 attempts:1\n' >"$files/resolv.conf"

# Creates the key and the certificate of an authority.
make_authority() {
    openssl req -x509 -newkey rsa:2048 -noenc -days 1 -subj "/CN=$1" -keyout "$files/$1.key" -out "$files/$1.pem" \
        2>/dev/null
}
make_authority trusted
make_authority other
openssl req -newkey rsa:2048 -noenc -subj /CN=localhost -keyout "$files/server.key" -out "$files/server.csr" 2>/dev/null
printf 'subjectAltName = IP:127.0.0.1\n' >"$files/server.extensions"
openssl x509 -req -in "$files/server.csr" -CA "$files/trusted.pem" -CAkey "$files/trusted.key" -CAcreateserial -days 1 \
    -extfile "$files/server.extensions" -out "$files/server.pem" 2>/dev/null

# The bundle contains another authority, so that only the directory contains the trusted one.
mkdir "$files/certs"
cp "$files/other.pem" "$files/certs/ca-certificates.crt"
cp "$files/trusted.pem" "$files/certs/$(openssl x509 -in "$files/trusted.pem" -noout -hash).0"

# Responds to each GET, as a server and as a proxy, and first prints its address.
exec {said}< <(exec openssl s_server -accept 127.0.0.1:0 -cert "$files/server.pem" -key "$files/server.key" -www 2>&1)
server=$!
while read -r line <&"$said"; do
    case $line in ACCEPT*) break ;; esac
done
if [ -z "$line" ]; then
    echo "openssl s_server does not start" >&2
    exit 1
fi

export STARTSMALL_TWO_ADDRESSES=two-addresses.test
export STARTSMALL_SILENT_NAME_SERVER=127.0.0.9
export STARTSMALL_TRUSTED_PORT="${line##*:}"
export STARTSMALL_OTHER_AUTHORITY="$files/other.pem"
unshare --mount bash -c \
    'mount --bind "$0/hosts" /etc/hosts && mount --bind "$0/resolv.conf" /etc/resolv.conf &&
    mount --bind "$0/certs" /etc/ssl/certs && exec "$@"' "$files" \
    env LD_LIBRARY_PATH="${LIBRARIES:-}" ${SWIFT:-swift} test "$@" \
    --filter "${FILTER:-CurlOptionsTests/twoAddresses|CurlTrustTests|CurlLookupTests}"
