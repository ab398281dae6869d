"""The command line's door."""

import os
import sys
from typing import Final

from teamwright.cli.dispatch import dispatch

# How long a thread that comes back from the disk waits for the event loop at the most; Python's own choice is five
# times that, which a run's agents would wait for at every fact.
_SWITCH_SECONDS: Final = 0.001


def main() -> int:
    _name_files_in_utf8()
    sys.setswitchinterval(_SWITCH_SECONDS)
    return dispatch(sys.argv[1:])


def _name_files_in_utf8() -> None:
    """Editors name files by URIs, which are UTF-8. Where a locale would have Python name them in ASCII, it is started
    once more with another mind; the programs that we start get it from us."""
    if os.name == "posix" and sys.getfilesystemencoding() != "utf-8" and not sys.flags.utf8_mode:
        os.environ["PYTHONUTF8"] = "1"
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606, ourselves


if __name__ == "__main__":
    sys.exit(main())
