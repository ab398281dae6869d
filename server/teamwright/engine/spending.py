"""What agents have used. A price that is not known makes the sum unknown, never smaller."""

from dataclasses import dataclass

from teamwright.protocol.usage import Usage

_NOTHING_USED = Usage()


@dataclass(frozen=True, slots=True)
class Spending:
    usage: Usage = _NOTHING_USED
    cost_usd: float | None = 0.0

    def __add__(self, other: "Spending") -> "Spending":
        known = self.cost_usd is not None and other.cost_usd is not None
        return Spending(self.usage + other.usage, (self.cost_usd or 0) + (other.cost_usd or 0) if known else None)


NOTHING_SPENT = Spending()


def spending_of(usage: Usage, cost_usd: float | None) -> Spending:
    """What was never called has cost nothing, whatever its price is."""
    return Spending(usage, 0.0 if cost_usd is None and usage.calls == 0 else cost_usd)
