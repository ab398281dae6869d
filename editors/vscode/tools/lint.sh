#!/usr/bin/env bash
# lint.sh [--write]: strict types, lint and format of the extension and its web views, or what of it can be mended by itself.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/install.sh
if [ "${1:-}" = --write ]; then exec npm run --silent format; fi
npm run --silent typecheck
npm run --silent lint
