#!/usr/bin/env bash
# Prints what an app with one JSON call costs: the duration of a clean release build, and the size of its stripped
# executable. Swift's standard library and Foundation are linked dynamically.
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

start=$SECONDS
"${SWIFT:-swift}" build --configuration release --package-path "$app" >"$app/build.log" 2>&1 || {
    cat "$app/build.log" >&2
    exit 1
}
took=$((SECONDS - start))
cp "$app/.build/release/App" "$app/App"
strip "$app/App"
echo "${products[*]}: $took s, $(($(wc -c <"$app/App") / 1000)) KB"
