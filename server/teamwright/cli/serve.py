"""`teamwright serve`: the language server, for an editor to start."""

import gc
from argparse import Namespace

from teamwright.cli.dispatch import Subparsers


def register(subparsers: Subparsers) -> None:
    subparsers.add_parser("serve", description="Speak LSP on standard input and output. Editors start this.")


def run(args: Namespace) -> int:
    del args
    # Looking again and again for garbage among all that is loaded would take a tenth of the time to the first answer;
    # what is young is still looked through, or the types of LSP alone would leave megabytes behind.
    gc.set_threshold(700, 10, 1_000)
    from teamwright.lsp.serve import serve  # noqa: PLC0415 - heavy, and only this subcommand needs it

    return serve()
