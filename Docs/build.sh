#!/usr/bin/env bash
# Builds the documentation as a static site in .build/docs, with the toolchain and Python 3 alone, and no network. A public
# symbol without documentation is an error.
#
# Each module has a catalog and a site of its own; that of StartSmall is built first, so that the others
# can link to it. All are merged into one. On Linux a warning of DocC, such as a link that leads nowhere, is an error.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

main=StartSmall
others=(StartSmallTesting GitHubAPI QiitaAPI)
work=.build/docs-work
site=.build/docs

# docc lives beside swift; where swift is a shim (Xcode, swiftly), it is in PATH or behind xcrun.
docc="$(dirname "$(readlink -f "$(command -v swift)")")/docc"
if [[ ! -x "$docc" ]]; then docc="$(command -v docc || xcrun --find docc)"; fi

# The compiler writes the symbol graphs while it builds; `swift package dump-symbol-graph` fails on test modules (6.3.1).
# A build folder of its own, since other flags would throw away what `swift build` and `swift test` have there.
graphs="$PWD/$work/symbols"
mkdir -p "$graphs"
for module in "$main" "${others[@]}"; do
    swift build --quiet --scratch-path "$work/build" --target "$module" -debug-info-format none \
        -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc "$graphs" \
        -Xswiftc -emit-extension-block-symbols -Xswiftc -symbol-graph-skip-synthesized-members
done
python3 Docs/documented.py "$graphs" "$main" "${others[@]}"
python3 Docs/translations.py

# The pages link to `.curl(options:)`, which only Linux has: elsewhere these links lead nowhere.
strict=()
if [[ "$(uname)" == Linux ]]; then strict=(--warnings-as-errors); fi

convert() { # convert MODULE [ARGUMENT…]
    local module=$1
    shift
    # DocC reads every symbol graph it finds, and wants the parent of its output to exist.
    rm -rf "${work:?}/$module" "${work:?}/$module.doccarchive"
    mkdir -p "$work/$module"
    cp "$graphs/$module.symbols.json" "$work/$module/"
    find "$graphs" -name "$module@*.symbols.json" -exec cp {} "$work/$module/" \;
    echo "== $module"
    "$docc" convert "$@" \
        --additional-symbol-graph-dir "$work/$module" \
        --output-path "$work/$module.doccarchive" \
        --fallback-display-name "$module" \
        --fallback-bundle-identifier "startsmall.$module" \
        --fallback-default-module-kind Module \
        --enable-experimental-external-link-support \
        --transform-for-static-hosting ${strict[@]+"${strict[@]}"}
}

convert "$main" "Docs/$main.docc"
archives=("$work/$main.doccarchive")
for module in "${others[@]}"; do
    convert "$module" "Docs/$module.docc" --dependency "$work/$main.doccarchive"
    archives+=("$work/$module.doccarchive")
done

rm -rf "$site"
"$docc" merge "${archives[@]}" --output-path "$site" \
    --synthesized-landing-page-name "$main" --synthesized-landing-page-topics-style list
echo "The site is in $PWD/$site; to read it: python3 -m http.server -d $site, then open /documentation/"
