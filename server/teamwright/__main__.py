"""The command line's door."""

import sys
from typing import Final

from teamwright.cli.dispatch import dispatch

# How long a thread that comes back from the disk waits for the event loop at the most; Python's own choice is five
# times that, which a run's agents would wait for at every fact.
_SWITCH_SECONDS: Final = 0.001


def main() -> int:
    sys.setswitchinterval(_SWITCH_SECONDS)
    return dispatch(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
