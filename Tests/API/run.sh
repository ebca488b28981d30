#!/usr/bin/env bash
# Checks that the public API is compatible with the last version: no declaration was removed or changed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

tag="$(git tag --merged HEAD --sort=-version:refname --list '[0-9]*' | sed -n 1p)"
if [ -z "$tag" ]; then
    echo "no version has a tag yet, so there is nothing to compare with"
    exit 0
fi
echo "compared with $tag"
${SWIFT:-swift} package --scratch-path .build/api diagnose-api-breaking-changes "$tag"
