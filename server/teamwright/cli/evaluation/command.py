"""`teamwright eval`: every task by every set-up, a table, and a file to keep."""

import json
import os
from argparse import Namespace
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import anyio

from teamwright.cli import output
from teamwright.cli.evaluation.scoring import SET_UPS, SetUp, Trial, trials_table, verdict
from teamwright.cli.evaluation.suite import EvalTask, SuiteFault, own_suite, suite_in
from teamwright.cli.evaluation.trial import tried
from teamwright.cli.history.private_file import write_private
from teamwright.cli.terminal.blocks import Line, as_lines
from teamwright.cli.terminal.entry_blocks import part_blocks
from teamwright.cli.terminal.printable import printable
from teamwright.cli.terminal.run_ending import BAD_USAGE, COMPLETED, FAILED
from teamwright.config.sources import NamedFile
from teamwright.engine.transcript.words import listed
from teamwright.protocol.errors import BadParams, UserError


def carry_out(args: Namespace) -> int:
    try:
        tasks = _chosen(args)
        trials = anyio.run(_all, args, tasks)
        kept = _kept(args, trials)
    except SuiteFault as fault:
        output.complain(f"teamwright eval: {fault}")
        return BAD_USAGE
    except BadParams as fault:
        for error in fault.errors:
            output.complain(f"teamwright eval: {'--agent: ' if error.path == 'agents' else ''}{error.message}")
        return BAD_USAGE
    except UserError as fault:
        output.complain(f"teamwright eval: {fault.message}")
        return FAILED
    if args.json:
        output.say(json.dumps([trial.model_dump() for trial in trials]))
    else:
        lines = (*part_blocks(trials_table(trials)), *(Line(text) for text in verdict(trials)))
        for line in as_lines(lines):
            output.say(printable(line, output.with_result()))
    output.complain(f"The figures are in {kept}")
    return COMPLETED


def _chosen(args: Namespace) -> list[EvalTask]:
    """What cannot be done here is told of and left out. Raises SuiteFault."""
    suite = own_suite() if args.suite is None else suite_in(args.suite)
    names = cast("list[str]", args.tasks)
    if unknown := [name for name in names if name not in {task.name for task in suite}]:
        raise SuiteFault(f"there is no task {unknown[0]}; there are {listed([task.name for task in suite])}.")
    chosen: list[EvalTask] = []
    for task in suite:
        is_wanted = task.name in names if names else args.all or not task.heavy
        if is_wanted and (missing := task.missing()):
            output.complain(f"teamwright eval: {task.name} is left out: {listed(missing)} cannot be found here.")
        elif is_wanted:
            chosen.append(task)
    if not chosen:
        raise SuiteFault("no task is left that can be done here.")
    return chosen


async def _all(args: Namespace, tasks: Sequence[EvalTask]) -> list[Trial]:
    """One after another, so that none is slowed down by another. Neither history nor files of the user are touched."""
    config_path = cast("Path | None", args.config)
    config = None if config_path is None else NamedFile(config_path.absolute(), is_typed=True)
    trials: list[Trial] = []
    with _history_elsewhere():
        for task in tasks:
            for set_up in cast("Sequence[SetUp]", args.by or tuple(SET_UPS)):
                trial = await tried(task, set_up, config=config, agent=args.agent)
                trials.append(trial)
                output.complain(f"{task.name}, {SET_UPS[set_up].lower()}: {_told(trial)}")
    return trials


@contextmanager
def _history_elsewhere() -> Generator[None]:
    before = os.environ.get("TEAMWRIGHT_STATE_DIR")
    with TemporaryDirectory(prefix="teamwright-eval-", ignore_cleanup_errors=True) as state:
        os.environ["TEAMWRIGHT_STATE_DIR"] = state
        try:
            yield
        finally:
            if before is None:
                del os.environ["TEAMWRIGHT_STATE_DIR"]
            else:
                os.environ["TEAMWRIGHT_STATE_DIR"] = before


def _told(trial: Trial) -> str:
    fixed = {True: "fixed", False: "not fixed", None: "not checked"}[trial.fixed]
    return f"{trial.outcome}, found {trial.found} of {trial.faults}, {trial.false} false, {fixed}"


def _kept(args: Namespace, trials: Sequence[Trial]) -> Path:
    at = datetime.now(UTC)
    path = cast("Path | None", args.output) or Path(f"teamwright-eval-{at:%Y%m%d-%H%M%S}.json")
    figures = [trial.model_dump() for trial in trials]
    kept = {"format": "teamwright.eval", "version": 1, "at": at.isoformat(), "trials": figures}
    try:
        write_private(path, json.dumps(kept, indent=2) + "\n")
    except OSError as fault:
        raise SuiteFault(f"{path} cannot be written ({fault.strerror}); name another file with --output.") from None
    return path
