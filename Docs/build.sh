#!/usr/bin/env bash
# Builds the documentation as a static site in .build/docs, with only the toolchain and Python 3, and without a network.
# A public symbol without documentation is an error.
#
# The modules of the library have one catalog and site, and each other module its own. That of the library is built
# first, so that the others can link to it. All sites are merged into one. On Linux a warning of DocC, such as a broken
# link, is an error.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

main=StartSmall
# The modules of the library, whose documentation is one site.
parts=(StartSmall{Templates,Core,Headers,Retry,Engines,URLSession,,Streams,Auth,Forms,Downloads,JSON,Diagnostics})
others=(StartSmallTesting StartSmallTestTraits StartSmallCaching StartSmallCookies StartSmallMetrics StartSmallModels
    StartSmallResilience GitHubAPI QiitaAPI)
work=.build/docs-work
site=.build/docs

# Only Linux has `.curl(options:)`: on other platforms its module is empty, and the links of the pages to it are broken.
strict=()
if [[ "$(uname)" == Linux ]]; then
    parts+=(StartSmallCurl)
    strict=(--warnings-as-errors)
fi

# docc is in the same directory as swift; if swift is a shim (Xcode, swiftly), docc is in PATH or found by xcrun.
docc="$(dirname "$(readlink -f "$(command -v swift)")")/docc"
if [[ ! -x "$docc" ]]; then docc="$(command -v docc || xcrun --find docc)"; fi

# The compiler writes the symbol graphs during the build; `swift package dump-symbol-graph` fails on test modules
# (6.3.1). A separate build folder, since other flags would invalidate the products of `swift build` and `swift test`.
graphs="$PWD/$work/symbols"
mkdir -p "$graphs"
for module in "${parts[@]}" "${others[@]}"; do
    swift build --quiet --scratch-path "$work/build" --target "$module" -debug-info-format none \
        -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc "$graphs" \
        -Xswiftc -emit-extension-block-symbols -Xswiftc -symbol-graph-skip-synthesized-members
done
python3 Docs/documented.py "$graphs" "${parts[@]}" "${others[@]}"
# A copy, since the compiler writes the graph of a module only when it compiles the module.
rm -rf "$work/joined"
cp -r "$graphs" "$work/joined"
graphs="$PWD/$work/joined"
python3 Docs/joined.py "$graphs" "$main" "${parts[@]}"

convert() { # convert MODULE [ARGUMENT…]
    local module=$1
    shift
    # DocC reads every symbol graph in the directory, and requires that the parent of its output exists.
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

convert "$main" "Sources/$main/$main.docc"
archives=("$work/$main.doccarchive")
for module in "${others[@]}"; do
    convert "$module" "$(echo Sources/*/"$module/$module.docc")" --dependency "$work/$main.doccarchive"
    archives+=("$work/$module.doccarchive")
done

rm -rf "$site"
"$docc" merge "${archives[@]}" --output-path "$site" \
    --synthesized-landing-page-name "$main" --synthesized-landing-page-topics-style list
echo "The site is in $PWD/$site; to read it: python3 -m http.server -d $site, then open /documentation/"
