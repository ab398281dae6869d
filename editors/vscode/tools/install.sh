#!/usr/bin/env bash
# install.sh: the packages of the lock file in node_modules, once: a stamp says for which lock file.
set -euo pipefail
cd "$(dirname "$0")/.."
exec 9<package-lock.json
flock 9
wanted=$(cksum < package-lock.json)
[ "$(cat node_modules/.stamp 2>/dev/null || true)" != "$wanted" ] || exit 0
npm ci --ignore-scripts --loglevel=error >&2
printf '%s' "$wanted" > node_modules/.stamp
