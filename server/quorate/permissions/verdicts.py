"""What a judgement can be."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Allow:
    pass


@dataclass(frozen=True, slots=True)
class Deny:
    """The reason is one sentence for the model or the user: what is refused, and what to do instead."""

    reason: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A person decides."""

    question: str


Verdict = Allow | Deny | Ask
