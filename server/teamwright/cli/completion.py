"""`teamwright completion`: what a shell needs to complete our commands and options, from the parsers themselves."""

from argparse import Action, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from typing import Any, Final

from teamwright.cli import output
from teamwright.cli.dispatch import SUBCOMMANDS, Subparsers, parser_with

_SHELLS: Final = ("bash", "zsh", "fish", "powershell")
_EPILOG: Final = """\
to have it in every new shell:
  bash        teamwright completion bash > ~/.local/share/bash-completion/completions/teamwright
  zsh         teamwright completion zsh > "${fpath[1]}/_teamwright"
  fish        teamwright completion fish > ~/.config/fish/completions/teamwright.fish
  powershell  teamwright completion powershell >> $PROFILE"""


def register(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "completion",
        description="Print what makes a shell complete our commands and options.",
        epilog=_EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("shell", choices=_SHELLS, help="the shell it is for")


def run(args: Namespace) -> int:
    import shtab  # noqa: PLC0415 - only this subcommand needs it

    output.say(shtab.complete(parser_with(SUBCOMMANDS, _Completable), args.shell))
    return 0


class _Completable(ArgumentParser):
    """What stands for a file or a directory in the help is completed as one."""

    def add_argument(self, *names: str, **options: Any) -> Action:
        import shtab  # noqa: PLC0415

        action = super().add_argument(*names, **options)
        kinds = {"FILE": shtab.FILE, "PATH": shtab.FILE, "PATH[:LINES]": shtab.FILE, "DIR": shtab.DIRECTORY}
        if (kind := kinds.get(options.get("metavar", ""))) is not None:
            vars(action)["complete"] = kind
        return action
