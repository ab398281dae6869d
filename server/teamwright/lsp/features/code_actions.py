"""What the client may offer on a selection, and on our findings. Each is a command with its params: nothing is done
before the user has chosen it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from teamwright.lsp.features.check_problems import CheckProblems
from teamwright.lsp.features.diagnostics import NAME, FindingMarks
from teamwright.lsp.transport.messages import Json, is_list, mapping
from teamwright.lsp.transport.peer import Peer

_ON_SELECTION: Final = {
    "review": "Review with team",
    "explain": "Explain with team",
    "fix": "Fix with team",
    "test": "Write tests with team",
}
_QUICK_FIX: Final = "quickfix"
_AUTOMATIC: Final = 2
_LLM_GENERATED: Final = 1


@dataclass(frozen=True, slots=True)
class _Offer:
    title: str
    kind: str
    command: str
    params: Json
    # Whether models do what it says.
    by_models: bool = True
    diagnostics: tuple[Json, ...] = ()


class CodeActions:
    def __init__(self, peer: Peer, marks: FindingMarks, problems: CheckProblems) -> None:
        self._marks = marks
        self._problems = problems
        capability = ("textDocument", "codeAction")
        self._takes_literals = peer.can(*capability, "codeActionLiteralSupport")
        self._takes_tags = peer.can(*capability, "tagSupport")

    def offered(self, params: Json) -> list[Json]:
        context = mapping(params.get("context"))
        uri = mapping(params.get("textDocument")).get("uri")
        if not isinstance(uri, str):
            return []
        offers = [
            *self._on_findings(uri, context),
            *self._on_failing_checks(uri, context),
            *_on_selection(uri, mapping(params.get("range")), context),
        ]
        return [self._as_action(offer) for offer in offers if _is_wanted(offer.kind, context.get("only"))]

    def _on_findings(self, uri: str, context: Json) -> Iterator[_Offer]:
        given = context.get("diagnostics")
        ours = [each for each in map(mapping, given if is_list(given) else []) if each.get("source") == NAME]
        findings = {called: each for each in ours if (called := self._marks.called(uri, each)) is not None}
        if not findings:
            return
        ids, shown = list(findings), tuple(findings.values())
        where = {"uri": uri, "range": shown[0].get("range")} if len(ids) == 1 else {}
        yield _Offer("Fix with team", _QUICK_FIX, "teamwright.fix", {**where, "findingIds": ids}, diagnostics=shown)
        if consensus := self._marks.consensus_with(ids):
            title = "Fix all consensus issues"
            yield _Offer(title, _QUICK_FIX, "teamwright.fix", {"findingIds": consensus}, diagnostics=shown)
        dismissal = {"findingIds": ids}
        yield _Offer("Dismiss", _QUICK_FIX, "teamwright.finding.dismiss", dismissal, by_models=False, diagnostics=shown)

    def _on_failing_checks(self, uri: str, context: Json) -> Iterator[_Offer]:
        given = context.get("diagnostics")
        told = [(self._problems.check_of(uri, each), each) for each in map(mapping, given if is_list(given) else [])]
        failing = [(check, each) for check, each in told if check is not None]
        if failing:
            params = {"checks": list(dict.fromkeys(check for check, _ in failing))}
            shown = tuple(each for _, each in failing)
            yield _Offer("Fix failing checks with team", _QUICK_FIX, "teamwright.fix", params, diagnostics=shown)

    def _as_action(self, offer: _Offer) -> Json:
        command = {"title": offer.title, "command": offer.command, "arguments": [offer.params]}
        if not self._takes_literals:
            return command
        action: Json = {"title": offer.title, "kind": offer.kind, "command": command}
        if offer.diagnostics:
            action["diagnostics"] = list(offer.diagnostics)
        if offer.by_models and self._takes_tags:
            action["tags"] = [_LLM_GENERATED]
        return action


def _on_selection(uri: str, selected: Json, context: Json) -> Iterator[_Offer]:
    """Where nothing is selected, the whole file is meant, and only offered to a user who asks for it."""
    is_empty = selected.get("start") == selected.get("end")
    if is_empty and context.get("triggerKind") == _AUTOMATIC:
        return
    where = {"uri": uri} if is_empty else {"uri": uri, "range": selected}
    for name, title in _ON_SELECTION.items():
        yield _Offer(title, f"refactor.teamwright.{name}", f"teamwright.{name}", where)


def _is_wanted(kind: str, only: object) -> bool:
    """A kind that is asked for stands for all those below it."""
    return not is_list(only) or any(kind == each or kind.startswith(f"{each}.") for each in only)
