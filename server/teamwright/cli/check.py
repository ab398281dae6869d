"""`teamwright check`: what is wrong in the configuration, and who would answer with it."""

import json
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from teamwright.cli import output
from teamwright.cli.dispatch import Subparsers
from teamwright.cli.probe_report import ProbeReport, probe_report
from teamwright.cli.team_report import TeamReport, team_report
from teamwright.config.load import load
from teamwright.config.problems import Problem, SourceSpan
from teamwright.config.sources import ConfigSource, ConfigSources, find_sources, read_source
from teamwright.config.surroundings import Surroundings, missing_things


@dataclass(frozen=True, slots=True)
class Report:
    """Of one file, or of all layers together."""

    files: tuple[str, ...]
    faults: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    team: TeamReport | None
    health: ProbeReport | None = None


def register(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "check",
        description="Validate configuration files and show the team. Without a file: all that is in force here. "
        "Exits with 0, with 2 if there are faults, and with 1 if a backend that was asked would not answer.",
    )
    parser.add_argument("files", nargs="*", metavar="FILE", type=Path, help="a configuration file")
    parser.add_argument("--workspace", metavar="DIR", type=Path, default=Path(), help="default: this directory")
    parser.add_argument("--trusted", action="store_true", help="read the workspace's own configuration too")
    parser.add_argument("--probe", action="store_true", help="ask every backend whether it would answer")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: Namespace) -> int:
    workspace = cast("Path", args.workspace).absolute()
    surroundings, probe = Surroundings(), cast("bool", args.probe)
    if not workspace.is_dir():
        missing = Problem(SourceSpan(str(workspace)), "", "is no directory, correct --workspace")
        reports = [Report((str(workspace),), (missing,), (), None)]
    elif files := cast("list[Path]", args.files):
        reports = [_report(_one_source(path), workspace, surroundings, probe=probe) for path in files]
    else:
        trusted = cast("bool", args.trusted)
        sources = find_sources(folders=(workspace,), trusted=trusted, environ=surroundings.environ)
        reports = [_report(sources, workspace, surroundings, probe=probe)]
    output.say(json.dumps(_to_json(reports), indent=2) if args.json else "\n".join(_lines(reports)))
    if any(report.faults for report in reports):
        return 2
    return 0 if all(report.health is None or report.health.ok for report in reports) else 1


def _one_source(path: Path) -> ConfigSources:
    outcome = read_source(path)
    return ConfigSources(found=(outcome,)) if isinstance(outcome, ConfigSource) else ConfigSources(faults=(outcome,))


def _report(sources: ConfigSources, workspace: Path, surroundings: Surroundings, *, probe: bool) -> Report:
    effective = load(sources.found, workspace=workspace, find=surroundings.findings)
    faults = (*sources.faults, *effective.faults)
    warnings = [*sources.warnings, *effective.warnings]
    files = (*(source.file for source in sources.found), *(fault.place.file for fault in sources.faults))
    if effective.settings is None or faults:
        return Report(files, faults, tuple(warnings), None)
    warnings += missing_things(effective.settings, effective.tree, surroundings, workspace)
    team = team_report(effective.settings, effective.reason, effective.looked_for, surroundings)
    return Report(files, (), tuple(warnings), team, probe_report(effective.settings) if probe else None)


def _lines(reports: Sequence[Report]) -> Iterator[str]:
    for index, report in enumerate(reports):
        if index:
            yield ""
        yield f"{', '.join(report.files) or 'No configuration file in force'}: {_verdict(report)}"
        yield from map(str, report.faults)
        if report.warnings:
            yield _counted(report.warnings, "warning") + ":"
            yield from map(str, report.warnings)
        if report.team:
            yield from report.team.lines()
        if report.health:
            yield from report.health.lines()


def _verdict(report: Report) -> str:
    return _counted(report.faults, "fault") if report.faults else "no faults"


def _counted(problems: Sequence[Problem], name: str) -> str:
    return f"{len(problems)} {name}" if len(problems) == 1 else f"{len(problems)} {name}s"


def _to_json(reports: Sequence[Report]) -> dict[str, Any]:
    """`team` is there for one file or all layers; each of several files has its own in `reports`."""
    return {
        "ok": not any(report.faults for report in reports),
        "faults": [_problem_to_json(fault) for report in reports for fault in report.faults],
        "warnings": [_problem_to_json(warning) for report in reports for warning in report.warnings],
        "team": _team_to_json(reports[0]) if len(reports) == 1 else None,
        "health": reports[0].health.to_json() if len(reports) == 1 and reports[0].health else None,
        "reports": [
            {"files": list(report.files), "ok": not report.faults, "team": _team_to_json(report)} for report in reports
        ],
    }


def _team_to_json(report: Report) -> dict[str, Any] | None:
    return report.team.to_json() if report.team else None


def _problem_to_json(problem: Problem) -> dict[str, Any]:
    at = problem.place
    return {
        "file": at.file,
        "line": at.line,
        "column": at.column,
        "endLine": at.end_line,
        "endColumn": at.end_column,
        "path": problem.path,
        "message": problem.message,
    }
