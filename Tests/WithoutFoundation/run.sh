#!/usr/bin/env bash
# Builds and runs an app that imports StartSmall alone, and fails if one of its libraries is more of Foundation than
# FoundationEssentials. The arguments are those of `swift build`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

[ "$(uname)" = Linux ] || { echo "elsewhere Foundation is a part of the system"; exit 0; }
swift=${SWIFT:-swift}
"$swift" build "$@" --product without-foundation
app="$("$swift" build "$@" --show-bin-path)/without-foundation"
libraries="$(ldd "$app" | grep -oE 'lib_?Foundation[A-Za-z]*\.so' | sort -u)"
echo "$libraries"
if grep -qE 'libFoundation(Networking|Internationalization)?\.so' <<<"$libraries"; then
    echo "the app links full Foundation" >&2
    exit 1
fi
"$app"
