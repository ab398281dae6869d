"""Who works here, by trust and configuration as they are now."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from anyio import to_thread
from anyio.abc import TaskGroup

from quorate.config.backends import backends_of
from quorate.config.problems import Problem
from quorate.config.settings import Settings
from quorate.models.factory import Models
from quorate.protocol.errors import BadParams
from quorate.protocol.events import NoticeRaised
from quorate.protocol.records import EventRecord
from quorate.runtime.bus import Bus
from quorate.runtime.health_board import HealthBoard
from quorate.runtime.identity import now
from quorate.runtime.premises import Premises
from quorate.runtime.team import Team, discovered_settings, load_settings


@dataclass(frozen=True, slots=True)
class Staff:
    """Replaced as a whole, so that nobody sees half of a change."""

    team: Team
    health: HealthBoard


class Staffing:
    def __init__(self, models: Models, premises: Callable[[], Premises], bus: Bus, tasks: TaskGroup) -> None:
        self._models = models
        self._premises = premises
        self._bus = bus
        self._tasks = tasks
        self._staff: Staff | None = None
        self._was_trusted = False
        self._told: set[str] = set()

    @property
    def current(self) -> Staff:
        if self._staff is None:
            raise RuntimeError("nobody works here before the configuration is read")
        return self._staff

    async def renew(self) -> None:
        """For the next turn, and the next run.

        Raises BadParams where the configuration has faults: then what was in force stays so, unless the trust it was
        read with is gone.
        """
        premises = self._premises()
        try:
            configured = await to_thread.run_sync(load_settings, premises)
        except BadParams:
            if self._was_trusted and not premises.trusted:
                self._employ(await to_thread.run_sync(discovered_settings), premises)
            raise
        self._employ(configured.settings, premises)
        self._tell(configured.warnings)

    def _employ(self, settings: Settings, premises: Premises) -> None:
        team = Team(settings, self._models) if self._staff is None else self._staff.team.renewed(settings)
        health = HealthBoard(self._models, backends_of(settings, os.environ), self._tasks)
        self._staff = Staff(team, health)
        self._was_trusted = premises.trusted

    def _tell(self, warnings: Sequence[Problem]) -> None:
        """Each once: what a file says is the same every time it is read."""
        for text in dict.fromkeys(str(warning) for warning in warnings if str(warning) not in self._told):
            self._told.add(text)
            notice = NoticeRaised(level="warning", text=text)
            self._bus.publish(EventRecord(seq=None, at=now(), session_id=None, event=notice))
