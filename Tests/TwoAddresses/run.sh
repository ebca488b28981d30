#!/usr/bin/env bash
# Runs the test that needs a host name with two addresses, in a mount namespace with a file of hosts of its own; needs root.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

hosts="$(mktemp)"
trap 'rm -f "$hosts"' EXIT
cp /etc/hosts "$hosts"
printf '127.0.0.2 two-addresses.test\n127.0.0.3 two-addresses.test\n' >>"$hosts"
export STARTSMALL_TWO_ADDRESSES=two-addresses.test
if ! unshare --mount true 2>/dev/null; then
    echo "skipped: this machine allows no mount namespace"
    exit 0
fi
unshare --mount bash -c 'mount --bind "$0" /etc/hosts && exec "$@"' "$hosts" \
    ${SWIFT:-swift} test "$@" --filter CurlOptionsTests/twoAddresses
