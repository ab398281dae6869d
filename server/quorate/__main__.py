"""The command line's door."""

import sys

from quorate.cli.dispatch import dispatch


def main() -> int:
    return dispatch(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
