"""What the author of a finding is told of what should reproduce it."""

from typing import Final

from teamwright.prompts.assistant.quoting import quoted
from teamwright.protocol.findings import Reproduced

_MOST_PRINTED: Final = 2_000
_AGAIN: Final = "Report it again with one that fails because of the problem, or leave it as it is."


def told_proof(reproduced: Reproduced, because: str | None, printed: str) -> str:
    match reproduced:
        case "yes":
            return "Your reproduction fails, so the finding counts as reproduced."
        case "no":
            said = "Your reproduction does not fail, so the finding is shown as not reproduced."
        case "not_run":
            said = f"Your reproduction could not be judged: {because or 'it did not end by itself.'}"
    return "\n".join(filter(None, (f"{said} {_AGAIN}", _printed(printed))))


def ignored_reproduction(reason: str) -> str:
    return f"Your reproduction was left aside, and the finding stands without it: {reason}"


def _printed(text: str) -> str:
    text = text.strip()
    return quoted("output", text if len(text) <= _MOST_PRINTED else f"[…]{text[-_MOST_PRINTED:]}") if text else ""
