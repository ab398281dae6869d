#!/usr/bin/env bash
# lint.sh [--write]: formats the plugin's Lua, or checks its form and lints it. Installs what it needs, once.
set -euo pipefail
cd "$(dirname "$0")"
installed=$(cksum < package-lock.json)
if [ "$(cat node_modules/.stamp 2>/dev/null || true)" != "$installed" ]; then
  npm ci --ignore-scripts --loglevel=error >&2
  printf '%s' "$installed" > node_modules/.stamp
fi
cd ../../..
mapfile -t files < <(find editors/neovim tests/support/neovim -name '*.lua' -not -name '*.gen.lua' -not -path '*/node_modules/*' | LC_ALL=C sort)
node editors/neovim/tools/format.mjs "$@" "${files[@]}"
[ "${1:-}" != --write ] || exit 0
if ! command -v luacheck > /dev/null; then
  echo "lint.sh: installing Debian's lua-check" >&2
  { apt-get -qq update && apt-get -qq -y install lua-check; } > /dev/null 2>&1 ||
    { echo "lint.sh: that did not work; install luacheck yourself (Debian's package is lua-check)." >&2; exit 1; }
fi
luacheck --quiet --no-color "${files[@]}"
