"""A budget as it is written on the command line."""

import re
from typing import Final

from quorate.protocol.usage import Budget

_LIMIT: Final = re.compile(r"\s*(?P<amount>\d+(?:\.\d+)?)\s*(?P<unit>usd|tokens|s)\s*", re.IGNORECASE)


class UnclearBudget(ValueError):
    """Its text says how a budget is written."""


def budget_from(text: str) -> Budget:
    """Raises UnclearBudget."""
    amounts: dict[str, float] = {}
    for part in text.split(","):
        match = _LIMIT.fullmatch(part)
        if match is None or float(match["amount"]) <= 0:
            raise UnclearBudget(f"{part.strip()!r} is not a limit; write 1.5usd, 20000tokens or 60s")
        unit = match["unit"].lower()
        if unit in amounts:
            raise UnclearBudget(f"{unit} is limited twice; keep one")
        amounts[unit] = float(match["amount"])
    tokens = amounts.get("tokens")
    if tokens is not None and tokens != int(tokens):
        raise UnclearBudget("tokens are counted whole; write 20000tokens")
    return Budget(usd=amounts.get("usd"), tokens=None if tokens is None else int(tokens), seconds=amounts.get("s"))
