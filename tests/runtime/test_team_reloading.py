"""Trust and settings that change while we work."""

import os
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from teamwright.models.factory import Models
from teamwright.protocol.errors import BadParams
from teamwright.protocol.ids import AgentId
from teamwright.protocol.modes import Modes
from teamwright.protocol.records import EventRecord
from teamwright.runtime.bus import Bus
from teamwright.runtime.client_context import ClientContext
from teamwright.runtime.team_reloader import LoadedTeam, TeamReloader
from teamwright.workspace.files.folders import Folders


def most_steps(loaded_team: LoadedTeam) -> int:
    return loaded_team.team.settings.orchestrator.interactive_mode.max_steps


@pytest.mark.asyncio
async def test_settings_do_not_outlive_the_trust_they_were_read_with(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, heard = tmp_path / "own.yaml", list[EventRecord]()
    monkeypatch.setenv("TEAMWRIGHT_CONFIG", str(own))
    own.write_text("commands: {enabled: false}\n", encoding="utf-8")
    (workspace / "teamwright.yaml").write_text(
        "orchestrator: {interactive_mode: {max_steps: 3}}\ncommands: {enabled: true}\n", encoding="utf-8"
    )
    client_context, bus = ClientContext(folders=Folders.at(workspace), trusted=True), Bus()
    bus.join(heard.append)
    async with Models(os.environ) as models, anyio.create_task_group() as tasks:
        reloader = TeamReloader(models, lambda: client_context, bus, tasks)
        await reloader.renew()
        await reloader.renew()
        before = reloader.current
        before.team.default_modes = Modes(plan=True)
        own.write_text("agents: nobody\n", encoding="utf-8")
        with pytest.raises(BadParams, match="agents"):
            await reloader.renew()
        assert reloader.current is before, "faults change nothing"

        client_context = replace(client_context, trusted=False)
        with pytest.raises(BadParams, match="agents"):
            await reloader.renew()
        assert (most_steps(reloader.current), most_steps(before)) == (10, 3)
        assert reloader.current.team.default_modes == Modes(plan=True), "what a person has switched stays"
    (told,) = [record.to_wire()["event"]["text"] for record in heard]
    assert "commands.enabled" in told, "what the workspace may not ask for is told, once"


@pytest.mark.asyncio
async def test_a_switch_stays_where_a_person_set_it_and_follows_the_settings_elsewhere(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own.yaml"
    monkeypatch.setenv("TEAMWRIGHT_CONFIG", str(own))
    client_context = ClientContext(folders=Folders.at(workspace), trusted=True)
    seen: list[Modes] = []
    async with Models(os.environ) as models, anyio.create_task_group() as tasks:
        reloader = TeamReloader(models, lambda: client_context, Bus(), tasks)
        for autonomy, agent in (("autonomous", "first"), ("hitl", "first"), ("hitl", "second")):
            backend = "{type: chatcompletion, model: m, base_url: 'http://127.0.0.1:9/v1'}"
            interactive = f"orchestrator: {{interactive_mode: {{autonomy: {autonomy}}}}}\n"
            own.write_text(f"agents: [{{id: {agent}, backend: {backend}}}]\n{interactive}", encoding="utf-8")
            await reloader.renew()
            team = reloader.current.team
            seen.append(team.default_modes)
            if len(seen) == 1:
                team.default_modes = team.default_modes.changed_by(Modes(plan=True, agent_id=AgentId("first")))
    first = AgentId("first")
    assert seen == [
        Modes(autonomy="autonomous"),
        Modes(plan=True, agent_id=first, autonomy="hitl"),
        Modes(plan=True, autonomy="hitl"),
    ]
