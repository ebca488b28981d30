#!/usr/bin/env bash
# Compiles the arithmetic of times, dates and sizes for a 32-bit target, like watchOS (arm64_32), and runs it if possible.
# The files must be pure; Embedded Swift has no Foundation and no key paths, so these are replaced.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

swiftc="$(dirname "$(command -v "$(basename "${SWIFT:-swift}")" || command -v "${SWIFT:-swift}")")/swiftc"
[ -x "$swiftc" ] || swiftc="$(command -v swiftc)"
tools="$(dirname "$(readlink -f "$swiftc")")"
target=i686-unknown-none-elf
embedded="$tools/../lib/swift/embedded"
if [ ! -d "$embedded/$target" ]; then
    echo "skipped: this toolchain has no Embedded Swift for $target"
    exit 0
fi

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

sources=../../Sources/Core
for file in StartSmallSupport/Concurrency/{TimerQueue,Heap,Durations} StartSmallSupport/Text/ASCII \
    StartSmallSupport/{ComparedByKey,Text/ContentRange} StartSmallHeaders/{CivilTime,HTTPDate} \
    StartSmallCore/Message/Response/{HTTPStatus,TransferProgress} ../Engines/StartSmallEngines/ProgressMeter; do
    sed -E 's/^(public |package )?import StartSmall(Support|Core)$//;s/\(\\\.([A-Za-z]+)\)/({ $0.\1 })/g' "$sources/$file.swift" \
        >"$folder/$(basename "$file").swift"
done
flags=(-target "$target" -swift-version 6 -enable-experimental-feature Embedded -wmo -parse-as-library -Osize
    -package-name StartSmall -warnings-as-errors -enable-upcoming-feature ExistentialAny
    -enable-upcoming-feature InternalImportsByDefault
    -enable-upcoming-feature MemberImportVisibility -enable-upcoming-feature NonisolatedNonsendingByDefault)
mkdir "$folder/modules"
"$swiftc" "${flags[@]}" -emit-module -module-name StartSmallFoundation Foundation.swift \
    -o "$folder/modules/StartSmallFoundation.swiftmodule"
"$swiftc" "${flags[@]}" -I "$folder/modules" -module-name StartSmall "$folder"/*.swift Checks.swift -c -o "$folder/checks.o"
echo "compiled for 32 bits"

if [ "$(uname -sm)" != "Linux x86_64" ]; then exit 0; fi
"$tools/clang" --target=i686-unknown-linux -ffreestanding -fno-builtin -O1 -c runtime.c -o "$folder/runtime.o"
"$tools/ld.lld" -m elf_i386 -static --gc-sections -e _start "$folder/checks.o" "$folder/runtime.o" \
    "$embedded/$target"/*.a -o "$folder/checks"
code=0
"$folder/checks" || code=$?
# 126: a kernel that runs no 32-bit programs.
case $code in
    0) echo "ran as a 32-bit program" ;;
    126) echo "compiled only: this system runs no 32-bit programs" ;;
    *) echo "check $code of Tests/ThirtyTwoBits/Checks.swift failed; 128 and above is a trap" >&2; exit 1 ;;
esac
