"""What `teamwright analyze`, `report` and `stats` do. They need the history alone, unless a model is to be asked."""

import json
from argparse import Namespace
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Final

import anyio
from anyio import to_thread

from teamwright.application import lessons
from teamwright.application.history import SessionHistory, opened_history
from teamwright.application.lifecycle import opened_application
from teamwright.cli import output
from teamwright.cli.history.private_file import write_private
from teamwright.cli.terminal.blocks import Block, Line, as_lines
from teamwright.cli.terminal.entry_blocks import part_blocks
from teamwright.cli.terminal.printable import printable
from teamwright.cli.terminal.run_ending import BAD_USAGE, COMPLETED, FAILED
from teamwright.cli.terminal.run_options import UsageFault, client_context_from, run_named
from teamwright.engine.analysis.team_stats import stats_table
from teamwright.engine.transcript.analysis import analysis_parts, analysis_title
from teamwright.engine.transcript.words import counted
from teamwright.protocol.commands import RunAnalyzeParams, RunReportParams, StatsParams
from teamwright.protocol.errors import BadParams, Conflict, UserError
from teamwright.protocol.events import NoticeRaised, RunAnalyzed
from teamwright.protocol.ids import RunId
from teamwright.protocol.records import EventRecord
from teamwright.protocol.transcript import MarkdownPart
from teamwright.protocol.validation import parse_params
from teamwright.protocol.views import RunAnalysis


def carry_out(subcommand: str, args: Namespace) -> int:
    try:
        anyio.run(_perform, subcommand, args)
    except (UsageFault, BadParams) as fault:
        output.complain(f"teamwright {subcommand}: {fault}")
        return BAD_USAGE
    except UserError as fault:
        output.complain(f"teamwright {subcommand}: {fault.message}")
        return FAILED
    return COMPLETED


async def _perform(subcommand: str, args: Namespace) -> None:
    client_context = client_context_from(args)

    def tell(notice: str) -> None:
        output.complain(f"teamwright {subcommand}: {notice}")

    async with opened_history(client_context, tell) as history:
        run_id = await _run_of(args, history) if subcommand != "stats" else None
        if subcommand != "analyze" or not args.opinion or run_id is None:
            await _ACTIONS[subcommand](args, history)
            return
    await _opinion(args, run_id)


async def _run_of(args: Namespace, history: SessionHistory) -> RunId:
    return await history.runs.latest() if args.run is None else run_named(args.run)


async def _analyze(args: Namespace, history: SessionHistory) -> None:
    analysis = await history.runs.analysis(await _run_of(args, history))
    _tell_analysis(args, analysis)


def _tell_analysis(args: Namespace, analysis: RunAnalysis, opinion: str | None = None) -> None:
    if args.json:
        told = {"analysis": analysis.to_wire()} | ({} if opinion is None else {"opinion": opinion})
        output.say(json.dumps(told))
        return
    blocks: list[Block] = [Line(analysis_title(analysis))]
    parts = [*analysis_parts(analysis)]
    if opinion is not None:
        parts.append(MarkdownPart(part="opinion", title="A second opinion", text=opinion))
    for part in parts:
        blocks += part_blocks(part)
    if analysis.settings is not None:
        blocks.append(Line("`teamwright analyze --again` runs it again with what is recommended."))
    _say(blocks)


async def _report(args: Namespace, history: SessionHistory) -> None:
    run_id = await _run_of(args, history)
    params = RunReportParams(run_id=run_id, format=args.format, mask=not args.no_mask)
    report = await history.runs.report(params)
    for warning in report.warnings:
        output.complain(f"teamwright report: {warning}")
    if args.output is None:
        output.say(report.text.rstrip("\n"))
        return
    try:
        await to_thread.run_sync(write_private, Path(args.output), report.text)
    except OSError as fault:
        raise UsageFault(f"{args.output} cannot be written ({fault.strerror}); name another file.") from None


async def _stats(args: Namespace, history: SessionHistory) -> None:
    asked = {"limit": args.limit} | ({} if args.project is None else {"project": args.project})
    stats = await history.runs.stats(parse_params(StatsParams, asked))
    if args.json:
        output.say(stats.to_json())
    elif not stats.runs:
        output.complain("There are no finished runs in this workspace yet.")
    else:
        _say([Line(f"The team in {counted(stats.runs, 'run')}"), *part_blocks(stats_table(stats.agents))])


async def _opinion(args: Namespace, run_id: RunId) -> None:
    """Raises UserError where the model has nothing to say."""
    heard: list[RunAnalyzed | NoticeRaised] = []
    is_said = anyio.Event()

    def hear(record: EventRecord) -> None:
        match record.event:
            case RunAnalyzed(opinion=str()) | NoticeRaised(level="error") as event if record.run_id == run_id:
                heard.append(event)
                is_said.set()
            case _:
                pass

    client_context = client_context_from(args)
    async with opened_application(lambda: client_context) as application:
        params = RunAnalyzeParams(run_id=run_id, opinion=True)
        await lessons.analyze_run(application.context_for(hear), params)
        await is_said.wait()
    match heard[0]:
        case RunAnalyzed(analysis=analysis, opinion=opinion):
            _tell_analysis(args, analysis, opinion)
        case NoticeRaised(text=text):
            raise Conflict(text)


def _say(blocks: list[Block]) -> None:
    stream = output.with_result()
    for line in as_lines(blocks):
        output.say(printable(line, stream))


Action = Callable[[Namespace, SessionHistory], Awaitable[None]]
_ACTIONS: Final[Mapping[str, Action]] = {"analyze": _analyze, "report": _report, "stats": _stats}
