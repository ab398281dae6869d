#!/usr/bin/env bash
# screenshots.sh: puts the pictures that the tests have drawn last into the README.
set -euo pipefail
cd "$(dirname "$0")"
drawn=../../.cache/vscode-pictures
cp "$drawn/run-voted.png" media/screenshots/run.png
cp "$drawn/review.png" media/screenshots/review.png
cp "$drawn/changes-diff.png" media/screenshots/changes.png
