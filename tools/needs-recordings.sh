#!/usr/bin/env bash
# Lists the test files that use the recordings beside the checkout, directly or through a file that they import.
set -euo pipefail
cd "$(dirname "$0")/.."
holders=$(git grep -lE "\.\./shared" -- '*.ts' ':!tools' ':!bench')
imported=$(for file in $holders; do basename "$file"; done | paste -sd'|')
git grep -lE "\.\./shared|/(${imported//./\\.})'" -- '*.test.ts'
