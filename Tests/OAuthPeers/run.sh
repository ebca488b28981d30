#!/usr/bin/env bash
# Runs the tests of OAuth against what nobody here wrote: an authorization server by authlib and Flask, from PyPI, and on
# Debian Glewlwyd, whose packages are unpacked. Nothing is installed: all is in .build.
#
# Requires Python 3 with pip, curl, and openssl; for Glewlwyd also apt-get and dpkg. Builds the tests if necessary. With
# RECIPES, the arguments by which the package Tests has been built, it also runs its recipe for swift-crypto.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

directory="$PWD/.build/oauth-peers"
rm -rf "$directory"
mkdir -p "$directory/packages/partial"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target "$directory/python" \
    authlib flask joserfc

# The keys of a client, whose public ones the servers have, and one that they don't have.
(umask 077 && openssl genrsa -out "$directory/rsa.pem" 2048 && openssl genrsa -out "$directory/other.pem" 2048 \
    && openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$directory/ec.pem") 2>/dev/null
export PYTHONPATH="$directory/python"
python3 -c 'import json, sys
from joserfc.jwk import ECKey, RSAKey
def key(kind, file, **members): return {**kind.import_key(open(file).read()).as_dict(private=False), **members}
keys = [key(RSAKey, sys.argv[1], kid="rsa", alg="RS256"), key(ECKey, sys.argv[2], kid="ec", alg="ES256")]
print(json.dumps({"keys": keys}))' "$directory/rsa.pem" "$directory/ec.pem" >"$directory/keys.json"
export STARTSMALL_CLIENT_KEYS="$directory"

# Each server ends with this script.
servers=()
trap 'kill "${servers[@]}" 2>/dev/null || true' EXIT
ports=($(python3 -c 'import socket
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(each.getsockname()[1] for each in sockets))'))
# Waits until a server answers, with any status.
answers() {
    for _ in $(seq 100); do
        curl --silent --output /dev/null "$1" && return
        sleep 0.1
    done
    echo "$1 does not answer" >&2
    return 1
}

python3 Tests/OAuthPeers/authlib_server.py "${ports[0]}" "$directory/keys.json" >"$directory/authlib.log" 2>&1 &
servers+=($!)
export STARTSMALL_AUTHLIB="http://127.0.0.1:${ports[0]}"
answers "$STARTSMALL_AUTHLIB"

if ! command -v dpkg >/dev/null || ! apt-cache show glewlwyd >/dev/null 2>&1; then
    echo "apt-get knows no Glewlwyd here: its tests are skipped" >&2
else
    # What the machine lacks of it. The second package is in the place of a client of MariaDB.
    apt-get -qq install --download-only --no-install-recommends --yes -o Debug::NoLocking=1 \
        -o Dir::Cache::archives="$directory/packages" glewlwyd dbconfig-no-thanks >/dev/null
    for package in "$directory"/packages/*.deb; do dpkg --extract "$package" "$directory/debian"; done
    python3 -c 'import sqlite3, sys
sqlite3.connect(sys.argv[1]).executescript(open(sys.argv[2]).read())' \
        "$directory/glewlwyd.db" "$directory/debian/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3"
    modules="$directory/debian/usr/lib/glewlwyd"
    export STARTSMALL_GLEWLWYD="http://127.0.0.1:${ports[1]}"
    cat >"$directory/glewlwyd.conf" <<CONFIGURATION
port=${ports[1]}
bind_address="127.0.0.1"
external_url="$STARTSMALL_GLEWLWYD"
api_prefix="api"
log_mode="console"
log_level="DEBUG"
cookie_domain="127.0.0.1"
cookie_secure=0
user_module_path="$modules/user"
user_middleware_module_path="$directory/packages/partial"
client_module_path="$modules/client"
user_auth_scheme_module_path="$modules/scheme"
plugin_module_path="$modules/plugin"
hash_algorithm="SHA512"
database={type="sqlite3" path="$directory/glewlwyd.db"};
CONFIGURATION
    libraries="$(dirname "$(find "$directory/debian" -name 'libulfius.so.*' | head -1)")"
    LD_LIBRARY_PATH="$libraries" "$directory/debian/usr/bin/glewlwyd" --config-file="$directory/glewlwyd.conf" \
        >"$directory/glewlwyd.log" 2>&1 &
    servers+=($!)
    answers "$STARTSMALL_GLEWLWYD"
    STARTSMALL_GLEWLWYD_COOKIE="$(python3 Tests/OAuthPeers/glewlwyd_setup.py "$STARTSMALL_GLEWLWYD" "$directory/keys.json")"
    export STARTSMALL_GLEWLWYD_COOKIE
fi

# One test at a time: SQLite refuses some of the writes that Glewlwyd makes at the same time.
${SWIFT:-swift} test "$@" --no-parallel --filter 'OAuthPeersTests|DPoPPeersTests'
if [ -n "${RECIPES:-}" ]; then
    # shellcheck disable=SC2086
    ${SWIFT:-swift} test --skip-build --no-parallel $RECIPES --filter SwiftCryptoTests
fi
