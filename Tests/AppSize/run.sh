#!/usr/bin/env bash
# Prints what an app with one JSON call costs: the size of its stripped executable, the duration of a clean release
# build, as wall and as user time, the Swift of the kit that the build compiles, and the libraries of Foundation that
# the executable links. First with a dynamic standard library, and on Linux also with a static one.
#
# Usage: run.sh [PRODUCT…]; the app also imports each product, which shows the cost of the product itself.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root="$PWD"
app="$root/.build/app-size"
rm -rf "$app"
mkdir -p "$app/Sources/App"

products=(StartSmall "$@")
dependencies=""
for product in "${products[@]}"; do
    dependencies+=".product(name: \"$product\", package: \"StartSmall\"), "
    echo "import $product" >>"$app/Sources/App/main.swift"
done
cat >"$app/Package.swift" <<EOF
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "App",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "StartSmall", path: "$root")],
    targets: [.executableTarget(name: "App", dependencies: [$dependencies])]
)
EOF
cat >>"$app/Sources/App/main.swift" <<'EOF'

struct User: Decodable { var login: String }

let user = Endpoint.json(User.self, .get("https://api.github.com/users/{login}", ["login": "Kuniwak"]))
print(await user.fetch())
EOF

# Usage: measure NAME [OPTION…]: builds the app with these options in a directory of this name.
measure() {
    local products="$app/$1/release" TIMEFORMAT=%0U start=$SECONDS user files lines libraries=""
    user="$({
        time "${SWIFT:-swift}" build --configuration release --package-path "$app" --scratch-path "$app/$1" "${@:2}" \
            >"$app/build.log" 2>&1
    } 2>&1)" || {
        cat "$app/build.log" >&2
        exit 1
    }
    local wall=$((SECONDS - start))
    strip -o "$app/$1/App" "$products/App"
    # The build writes the names of a module's files before it compiles the module, and of no other module.
    files="$(grep --no-filename --fixed-strings "$root/Sources/" "$products"/*.build/sources)"
    lines="$(xargs cat <<<"$files" | wc -l)"
    if command -v ldd >/dev/null; then
        libraries="$(ldd "$products/App" | grep -oE 'lib_?Foundation[A-Za-z]*' | sort -u | paste -sd ' ')" || true
    fi
    echo "$1: $(($(wc -c <"$app/$1/App") / 1000)) kB, $wall s, $user s of user time," \
        "$((lines)) lines of $(($(wc -l <<<"$files"))) files, links ${libraries:-no library of Foundation}"
}

echo "An app that imports ${products[*]}:"
measure dynamic
if [ "$(uname)" = Linux ]; then measure static --static-swift-stdlib; fi
