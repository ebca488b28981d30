#!/usr/bin/env bash
# Runs a program with a static standard library in a root directory that has nothing but the program, the libraries that
# the loader finds for it, libcurl, one certificate, and /proc, without which libdispatch ends the process. Its calls are
# to a server on this machine, over the default trust. A second program is linked with a libcurl of another name.
#
# Requires openssl, and a mount namespace: root, or user namespaces. The arguments are those of `swift build`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root="$PWD"
work="$root/.build/static-root"

skip() { echo "skipped: $1"; exit 0; }
[ "$(uname)" = Linux ] || skip "only Linux has static programs"
enter=(unshare --mount)
[ "$(id -u)" = 0 ] || enter+=(--user --map-root-user)
"${enter[@]}" mount --rbind /proc /proc 2>/dev/null || skip "this machine allows no mount namespace"
# The first one, which is that of the processor: a system may have libraries for several.
libcurl="$(PATH="$PATH:/sbin" ldconfig -p | sed -n 's/.*\slibcurl\.so\.4 .* => //p' | head -n 1)"
[ -n "$libcurl" ] || skip "the loader of this system knows no libcurl.so.4"

mkdir -p "$work/Sources/App" "$work/server"
cat >"$work/Package.swift" <<EOF
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "App",
    dependencies: [.package(name: "StartSmall", path: "$root")],
    targets: [.executableTarget(name: "App", dependencies: [.product(name: "StartSmall", package: "StartSmall")])]
)
EOF
cat >"$work/Sources/App/main.swift" <<'EOF'
import StartSmall

print(await Endpoint.text(.get(CommandLine.arguments[1])).fetch())
EOF
# Usage: build NAME [OPTION…]
build() {
    "${SWIFT:-swift}" build --static-swift-stdlib --package-path "$work" "${@:2}"
    cp "$work/.build/debug/App" "$work/$1"
}
# The same library by another name, which the kit can't know.
LC_ALL=C sed 's/libcurl\.so\.4/libmine.so.4/g' "$libcurl" >"$work/libmine.so.4"
build app "$@"
build linked "$@" -Xlinker "$work/libmine.so.4"

# The certificate of the server is its own authority.
openssl req -x509 -newkey rsa:2048 -noenc -days 1 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 \
    -keyout "$work/server/key" -out "$work/server/certificate" 2>/dev/null
echo "a greeting" >"$work/server/greeting.txt"
exec {said}< <(cd "$work/server" && exec openssl s_server -accept 127.0.0.1:0 -cert certificate -key key -WWW 2>&1)
server=$!
trap 'kill "$server"' EXIT
while read -r line <&"$said"; do
    case $line in ACCEPT*) break ;; esac
done
[ -n "$line" ] || { echo "openssl s_server does not start" >&2; exit 1; }

# Usage: new_root PROGRAM
new_root() {
    rm -rf "$work/root"
    mkdir --parents "$work/root/proc"
    cp "$work/$1" "$work/root/app"
    add_libraries_of "$work/$1"
}
# Copies the libraries of a program or a library.
add_libraries_of() { ldd "$1" | grep -oE '/[^ ]+' | xargs cp --parents --dereference --target-directory "$work/root"; }
add_libcurl() {
    cp --parents --dereference "$libcurl" "$work/root"
    add_libraries_of "$libcurl"
}
add_certificate() { install -D "$work/server/certificate" "$work/root/etc/ssl/certs/ca-certificates.crt"; }

# Usage: expect FACT TEXT…: makes a call in the root; its output must contain each text.
expect() {
    local status=0 text
    output="$("${enter[@]}" bash -c 'mount --rbind /proc "$0/proc" &&
        exec env --ignore-environment PATH="$PATH:/usr/sbin" LD_DEBUG=files chroot "$0" /app "$1"' \
        "$work/root" "https://127.0.0.1:${line##*:}/greeting.txt" 2>"$work/loaded")" || status=$?
    for text in "${@:2}"; do
        [ "$status" = 0 ] && [[ $output == *"$text"* ]] && continue
        grep -v '^ *[0-9]*:' "$work/loaded" >&2 || true
        echo "wrong: $1: status $status: $output" >&2
        exit 1
    done
    echo "$1: $output"
}

new_root app
expect "without libcurl" engineUnavailable "install libcurl 7.81 or later (Debian: libcurl4)"
add_libcurl
expect "without certificates" "/etc/ssl/certs/ca-certificates.crt"
add_certificate
expect "with both" "a greeting"

new_root linked
add_libcurl
cp "$work/libmine.so.4" "$work/root${libcurl%/*}"
add_certificate
expect "linked with a libcurl" "a greeting"
if grep 'calling init.*libcurl\.so\.4' "$work/loaded"; then
    echo "wrong: the program has loaded another libcurl than its own" >&2
    exit 1
fi
