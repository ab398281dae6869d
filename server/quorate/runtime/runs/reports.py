"""What a run leaves for people to read: the footer of its result."""

from collections.abc import Callable, Sequence

from quorate.engine.agreement import agreed_findings
from quorate.engine.state import RunState
from quorate.prompts.agent_messages import findings_digest
from quorate.protocol.findings import AgreedFinding

_NAMED_FILES = 5
_NAMED_FINDINGS = 50


def footer_of(written: Sequence[str], list_path: str, findings: Sequence[AgreedFinding] = ()) -> str | None:
    """The findings of a review, and what was written; nothing where there is neither."""
    return "\n".join(part for part in (_found(findings), _written(written, list_path)) if part) or None


def told_findings(run: RunState, shown_path: Callable[[str], str]) -> tuple[AgreedFinding, ...]:
    """Most agreed first, their files by the paths that tools know."""
    return tuple(
        finding.model_copy(update={"uri": shown_path(finding.uri)})
        for finding in (agreed_findings(run) if run.findings else ())
    )


def _found(findings: Sequence[AgreedFinding]) -> str:
    if not findings:
        return ""
    more = f"\nand {len(findings) - _NAMED_FINDINGS} more" if len(findings) > _NAMED_FINDINGS else ""
    return f"Findings, most agreed first:\n{findings_digest(findings[:_NAMED_FINDINGS])}{more}"


def _written(written: Sequence[str], list_path: str) -> str:
    """Up to five files by name; more are counted, with the file that lists them."""
    if not written:
        return ""
    if len(written) <= _NAMED_FILES:
        return f"Files written: {', '.join(written)}"
    return f"{len(written)} files written; {list_path} names them."
