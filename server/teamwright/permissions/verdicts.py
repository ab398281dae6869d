"""What a judgement can be."""

from dataclasses import dataclass

from teamwright.protocol.runs import Consent


@dataclass(frozen=True, slots=True)
class Allow:
    pass


@dataclass(frozen=True, slots=True)
class Deny:
    """The reason is one sentence for the model or the user: what is refused, and what to do instead."""

    reason: str
    # Of a command, the parameter that is at fault, if it is one.
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """A person decides. The reason is told to them; without one it is the rule to ask."""

    question: str
    reason: str = ""


Verdict = Allow | Deny | Ask


def consent(verdict: Verdict) -> Consent:
    """What a run keeps of a verdict, as a fact of its start."""
    return "auto" if isinstance(verdict, Allow) else "ask"
