"""Whether the team would answer now: every backend asked at once, within a deadline."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from teamwright.cli.history.tables import aligned
from teamwright.config.backends import Backend, backends_of
from teamwright.config.settings import Settings

if TYPE_CHECKING:
    from teamwright.models.health import Health


@dataclass(frozen=True, slots=True)
class ProbeReport:
    by_agent: tuple[tuple[str, "Health"], ...]

    @property
    def ok(self) -> bool:
        return all(health.ok for _, health in self.by_agent)

    def lines(self) -> Iterator[str]:
        yield "Health:"
        yield from aligned([_row(name, health) for name, health in self.by_agent])

    def to_json(self) -> list[dict[str, Any]]:
        return [
            {
                "id": name,
                "provider": health.provider,
                "model": health.model,
                "ok": health.ok,
                "reachable": health.reachable,
                "modelKnown": health.model_known,
                "latencyMs": None if health.seconds is None else round(health.seconds * 1000, 1),
                "version": health.version,
                "problem": health.problem,
            }
            for name, health in self.by_agent
        ]


def probe_report(settings: Settings) -> ProbeReport:
    import anyio  # noqa: PLC0415 - heavy, and only a probe needs it

    backends = backends_of(settings, os.environ)
    healths = anyio.run(_probe, [backend for _, backend in backends])
    return ProbeReport(tuple((name, health) for (name, _), health in zip(backends, healths, strict=True)))


async def _probe(backends: Sequence[Backend]) -> "list[Health]":
    from teamwright.models.factory import Models  # noqa: PLC0415 - heavy, and only a probe needs it
    from teamwright.models.health import probe  # noqa: PLC0415 - the same

    async with Models(os.environ) as models:
        return await probe(models, backends)


def _row(name: str, health: "Health") -> tuple[str, ...]:
    latency = "" if health.seconds is None else f"{health.seconds * 1000:.0f} ms"
    return name, health.provider, health.model, "ok" if health.ok else "no", latency, health.problem or ""
