#!/usr/bin/env bash
# setup.sh run|dev: the virtual environment that the other commands use, built or brought up to date from the lock files.
# Cheap when nothing has changed: a stamp holds the checksum of all that decides the environment.
# It keeps to what the bash of macOS knows.
set -euo pipefail
cd "$(dirname "$0")/.."
kind=${1:?run or dev}
case $kind in
  run) venv=.venv-run lock=requirements.lock editable= ;;
  dev) venv=.venv lock=requirements-dev.lock editable=--editable ;;
  *) echo "setup.sh: run or dev, not $kind" >&2; exit 2 ;;
esac

# An editable install follows the source by itself; the other one is a copy, so every source file decides it.
sources() {
  printf '%s\n' "$lock" pyproject.toml scripts/setup.sh
  [ "$kind" = dev ] || find server -type f -not -name '*.pyc' | LC_ALL=C sort
}
stamp=$(sources | tr '\n' '\0' | xargs -0 cat | cksum)
[ "$(cat "$venv/.stamp" 2>/dev/null || true)" != "$stamp" ] || exit 0

python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
  { echo "setup.sh: Python 3.11 or newer is needed; set PYTHON to its path." >&2; exit 1; }
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
  echo "setup.sh: this Python has no venv; installing Debian's package" >&2
  { apt-get -qq update && apt-get -qq -y install python3-venv; } ||
    { echo "setup.sh: that did not work; install python3-venv yourself, or set PYTHON to a complete Python." >&2; exit 1; }
fi
echo "setup.sh: building $venv" >&2
[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
[ -x "$venv/bin/uv" ] || "$venv/bin/pip" -q install --disable-pip-version-check "$(grep -E '^uv==' requirements-dev.lock)"
uv() { VIRTUAL_ENV=$PWD/$venv UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy "$venv/bin/uv" -q "$@"; }
uv pip install -r "$lock"
uv pip install --no-deps --reinstall-package teamwright $editable .
printf '%s' "$stamp" > "$venv/.stamp"
