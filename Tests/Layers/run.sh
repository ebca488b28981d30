#!/usr/bin/env bash
# Type-checks each layer of Sources/StartSmall with only the layers above it, so that no layer uses one below it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

swiftc="$(dirname "$(command -v "$(basename "${SWIFT:-swift}")" || command -v "${SWIFT:-swift}")")/swiftc"
[ -x "$swiftc" ] || swiftc="$(command -v swiftc)"
flags=(-typecheck -swift-version 6 -package-name startsmall -I Sources/CCurl/include
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
    -enable-upcoming-feature MemberImportVisibility
    -enable-upcoming-feature NonisolatedNonsendingByDefault)
modules="$(mktemp -d)"
trap 'rm -rf "$modules"' EXIT
# The package manager generates this module map for a C target without one.
printf 'module CCurl { umbrella "%s" export * }\n' "$PWD/Sources/CCurl/include" >"$modules/module.modulemap"

"$swiftc" "${flags[@]/-typecheck/-emit-module}" -parse-as-library -module-name StartSmallFoundation \
    -o "$modules/StartSmallFoundation.swiftmodule" Sources/StartSmallFoundation/*.swift
files=()
while read -r layer; do
    for entry in $layer; do
        while IFS= read -r file; do files+=("$file"); done < <(find "Sources/StartSmall/$entry" -name '*.swift' | sort)
    done
    "$swiftc" "${flags[@]}" -module-name StartSmall -I "$modules" "${files[@]}"
    echo "$layer: uses nothing below it"
done < <(grep -v '^#' Tests/Layers/layers.txt)

missing="$(comm -13 <(printf '%s\n' "${files[@]}" | sort) <(find Sources/StartSmall -name '*.swift' | sort))"
if [ -n "$missing" ]; then
    printf 'in no layer:\n%s\n' "$missing" >&2
    exit 1
fi
