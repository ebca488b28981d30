#!/usr/bin/env bash
# Runs the tests of connections that are silent for long: in a network namespace, behind a network that forgets each
# connection after some time without a packet, and drops its later packets, as NAT gateways and load balancers do.
# Requires root, ip, nsenter and python3. The arguments are those of `swift test`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# The network itself is in a namespace, too.
if [ -z "${STARTSMALL_IN_NAMESPACE:-}" ]; then
    if ! unshare --net ip link add veth0 type veth peer name veth1 2>/dev/null; then
        echo "skipped: this machine allows no network namespace with a virtual network"
        exit 0
    fi
    STARTSMALL_IN_NAMESPACE=1 exec unshare --net "$0" "$@"
fi

started=()
trap 'kill "${started[@]}" 2>/dev/null || true' EXIT

# Usage: host NAME ADDRESS: makes a namespace whose network card is connected to one of this name here.
host() {
    unshare --net sleep infinity &
    local id=$!
    started+=("$id")
    # Until the process is in its namespace.
    while [ "$(readlink /proc/$id/ns/net)" = "$(readlink /proc/self/ns/net)" ]; do sleep 0.05; done
    ip link add "$1" type veth peer name "$1-inside"
    ip link set "$1-inside" netns "$id"
    ip link set "$1" up
    nsenter --target "$id" --net bash -c "ip link set lo up && ip address add $2/24 dev $1-inside &&
        ip link set $1-inside up && exec python3 Tests/NetworkNamespace/network.py plain $1-inside"
}

host client 192.0.2.1
client=${started[-1]}
host server 192.0.2.2
server=${started[-1]}

python3 Tests/NetworkNamespace/network.py forget client server &
started+=($!)
nsenter --target "$server" --net python3 Tests/NetworkNamespace/network.py serve &
started+=($!)

export STARTSMALL_FORGETFUL_SERVER=192.0.2.2
nsenter --target "$client" --net ${SWIFT:-swift} test "$@" --filter CurlKeepAliveProbesTests
