"""Where a check fails, in the client's list of problems: at a person's wish, until others come or none are wanted."""

from itertools import groupby

from teamwright.lsp.features.diagnostics import Diagnostics
from teamwright.lsp.transport.messages import Json, mapping
from teamwright.protocol.checks import CheckProblem
from teamwright.protocol.events import CheckProblemsShown
from teamwright.protocol.records import EventRecord
from teamwright.protocol.visible_text import spoken

_ERROR = 1


class CheckProblems:
    def __init__(self, diagnostics: Diagnostics) -> None:
        self._diagnostics = diagnostics
        # By the documents that they are shown in.
        self._shown: dict[str, list[CheckProblem]] = {}

    def __call__(self, record: EventRecord) -> None:
        if isinstance(record.event, CheckProblemsShown):
            self._show(record.event.problems)

    def check_of(self, uri: str, diagnostic: Json) -> str | None:
        """The check that fails at what a client shows as this diagnostic; not every client gives its data back."""
        told = mapping(diagnostic.get("data")).get("check")
        if isinstance(told, str):
            return told
        said = diagnostic.get("source"), diagnostic.get("message")
        alike = (each for each in self._shown.get(uri, ()) if (each.source, _message(each)) == said)
        return next((each.check for each in alike), None)

    def _show(self, problems: tuple[CheckProblem, ...]) -> None:
        placed = sorted((each for each in problems if each.failure.uri), key=_uri)
        shown = {uri: list(found) for uri, found in groupby(placed, _uri)}
        for uri in self._shown.keys() | shown.keys():
            self._diagnostics.put("checks", uri, [_diagnostic(each) for each in shown.get(uri, ())])
        self._shown = shown


def _uri(problem: CheckProblem) -> str:
    return problem.failure.uri or ""


def _message(problem: CheckProblem) -> str:
    failure = problem.failure
    return spoken(f"{failure.name}: {failure.message}" if failure.message else failure.name)


def _diagnostic(problem: CheckProblem) -> Json:
    line = max(0, (problem.failure.line or 1) - 1)
    return {
        "range": {"start": {"line": line, "character": 0}, "end": {"line": line + 1, "character": 0}},
        "severity": _ERROR,
        "source": problem.source,
        "message": _message(problem),
        "data": {"check": problem.check},
    }
