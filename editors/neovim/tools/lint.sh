#!/usr/bin/env bash
# lint.sh [--write]: checks, or formats, the plugin's Lua. Installs what it needs, once.
set -euo pipefail
cd "$(dirname "$0")"
installed=$(cksum < package-lock.json)
if [ "$(cat node_modules/.stamp 2>/dev/null || true)" != "$installed" ]; then
  npm ci --ignore-scripts --loglevel=error >&2
  printf '%s' "$installed" > node_modules/.stamp
fi
mapfile -t files < <(find .. -name '*.lua' -not -name '*.gen.lua' -not -path '*/node_modules/*' | LC_ALL=C sort)
node lint.mjs "$@" "${files[@]}"
