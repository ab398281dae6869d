#!/usr/bin/env bash
# build.sh: dist/teamwright.vsix, an extension that carries the server's package and its locked list.
# Cheap when nothing has changed: a stamp holds the checksum of all that goes into it.
set -euo pipefail
cd "$(dirname "$0")"
root=../..
mkdir -p dist
exec 9>dist/.lock
flock 9

tools/install.sh
mapfile -t sources < <(find src webview media "$root/server/teamwright" -type f -not -name '*.pyc' | LC_ALL=C sort)
stamp=$(cat "${sources[@]}" package.json package-lock.json esbuild.mjs build.sh README.md "$root/pyproject.toml" "$root/requirements.lock" | cksum)
[ "$(cat dist/.stamp 2>/dev/null || true)" != "$stamp" ] || exit 0

rm -rf dist/server dist/*.vsix && mkdir -p dist/server
"$root/.venv/bin/uv" build -q --wheel --out-dir dist/server "$root" >&2
rm -f dist/server/.gitignore
cp "$root/requirements.lock" dist/server/
cp "$root/LICENSE" LICENSE
node esbuild.mjs
npx --no-install vsce package --no-dependencies --allow-missing-repository --no-rewrite-relative-links --out dist/teamwright.vsix >&2
printf '%s' "$stamp" > dist/.stamp
