"""Amounts and names in words."""

from collections.abc import Iterator
from pathlib import Path

from quorate.protocol.usage import Budget, Usage
from quorate.workspace.folders import STYLE
from quorate.workspace.uris import path_of_uri


def money(usd: float) -> str:
    return f"${usd:.2f}" if usd >= 1 or usd == 0 else f"${usd:.4f}"


def counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def spending(usage: Usage, cost_usd: float | None) -> Iterator[str]:
    """A price that is not known is not made up: then the tokens speak for themselves."""
    if cost_usd is not None:
        yield money(cost_usd)
    if tokens := usage.input_tokens + usage.output_tokens:
        yield counted(tokens, "token")


def limits(budget: Budget) -> str:
    parts = (
        None if budget.usd is None else money(budget.usd),
        None if budget.tokens is None else counted(budget.tokens, "token"),
        None if budget.seconds is None else duration(budget.seconds),
    )
    return ", ".join(part for part in parts if part is not None)


def shown_file(uri: str) -> str:
    """As one would type it here."""
    path = path_of_uri(uri, STYLE)
    if path is None:
        return uri
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
