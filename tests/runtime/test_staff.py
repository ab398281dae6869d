"""Trust and settings that change while we work."""

import os
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from quorate.models.factory import Models
from quorate.protocol.errors import BadParams
from quorate.protocol.ids import AgentId
from quorate.protocol.modes import Modes
from quorate.protocol.records import EventRecord
from quorate.runtime.bus import Bus
from quorate.runtime.premises import Premises
from quorate.runtime.staff import Staff, Staffing
from quorate.workspace.folders import Folders


def most_steps(staff: Staff) -> int:
    return staff.team.settings.orchestrator.interactive_mode.max_steps


@pytest.mark.asyncio
async def test_settings_do_not_outlive_the_trust_they_were_read_with(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, heard = tmp_path / "own.yaml", list[EventRecord]()
    monkeypatch.setenv("QUORATE_CONFIG", str(own))
    own.write_text("commands: {enabled: false}\n", encoding="utf-8")
    (workspace / "quorate.yaml").write_text(
        "orchestrator: {interactive_mode: {max_steps: 3}}\ncommands: {enabled: true}\n", encoding="utf-8"
    )
    premises, bus = Premises(folders=Folders.at(workspace), trusted=True), Bus()
    bus.join(heard.append)
    async with Models(os.environ) as models, anyio.create_task_group() as tasks:
        staffing = Staffing(models, lambda: premises, bus, tasks)
        await staffing.renew()
        await staffing.renew()
        before = staffing.current
        before.team.default_modes = Modes(plan=True)
        own.write_text("agents: nobody\n", encoding="utf-8")
        with pytest.raises(BadParams, match="agents"):
            await staffing.renew()
        assert staffing.current is before, "faults change nothing"

        premises = replace(premises, trusted=False)
        with pytest.raises(BadParams, match="agents"):
            await staffing.renew()
        assert (most_steps(staffing.current), most_steps(before)) == (10, 3)
        assert staffing.current.team.default_modes == Modes(plan=True), "what a person has switched stays"
    (told,) = [record.to_wire()["event"]["text"] for record in heard]
    assert "commands.enabled" in told, "what the workspace may not ask for is told, once"


@pytest.mark.asyncio
async def test_a_switch_stays_where_a_person_set_it_and_follows_the_settings_elsewhere(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own.yaml"
    monkeypatch.setenv("QUORATE_CONFIG", str(own))
    premises = Premises(folders=Folders.at(workspace), trusted=True)
    seen: list[Modes] = []
    async with Models(os.environ) as models, anyio.create_task_group() as tasks:
        staffing = Staffing(models, lambda: premises, Bus(), tasks)
        for autonomy, agent in (("autonomous", "first"), ("hitl", "first"), ("hitl", "second")):
            backend = "{type: chatcompletion, model: m, base_url: 'http://127.0.0.1:9/v1'}"
            interactive = f"orchestrator: {{interactive_mode: {{autonomy: {autonomy}}}}}\n"
            own.write_text(f"agents: [{{id: {agent}, backend: {backend}}}]\n{interactive}", encoding="utf-8")
            await staffing.renew()
            team = staffing.current.team
            seen.append(team.default_modes)
            if len(seen) == 1:
                team.default_modes = team.default_modes.changed_by(Modes(plan=True, agent_id=AgentId("first")))
    first = AgentId("first")
    assert seen == [
        Modes(autonomy="autonomous"),
        Modes(plan=True, agent_id=first, autonomy="hitl"),
        Modes(plan=True, autonomy="hitl"),
    ]
