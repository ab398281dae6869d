"""A run once more, with the settings that its analysis recommends."""

from argparse import Namespace

from teamwright.application.context import CommandContext
from teamwright.application.lessons import again_run, past_runs
from teamwright.cli.terminal.run_options import RunOptions, client_context_from, run_named
from teamwright.protocol.commands import LaunchRunParams, RunAgainParams
from teamwright.protocol.errors import NothingToDo


def again_options_from(args: Namespace) -> RunOptions:
    """Raises UsageFault."""

    async def get_params(context: CommandContext) -> LaunchRunParams:
        runs = await past_runs(context)
        run_id = await runs.latest() if args.run is None else run_named(args.run)
        settings = (await runs.analysis(run_id)).settings
        if settings is None:
            raise NothingToDo("Nothing is recommended for this run: it would go as it went.")
        approval = "given" if args.yes else None
        return await again_run(context, RunAgainParams(run_id=run_id, changes=settings, approval=approval))

    return RunOptions("analyze", get_params, client_context_from(args), json=args.json, yes=args.yes)
