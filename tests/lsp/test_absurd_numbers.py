"""Numbers that nobody means, in a run's specification and in the configuration: refused at once, with what is right."""

import pytest

from tests.support.doors import Serve, team_config
from tests.support.lsp_client import LspError
from tests.support.model_server import ModelServer

pytestmark = pytest.mark.asyncio

ABSURD = [1e12, -1, 0, 10**30, 1e308]


@pytest.mark.parametrize("number", ABSURD)
@pytest.mark.parametrize(
    ("where", "key"),
    [
        ("coordinationOverrides", "orchestratorTimeoutSeconds"),
        ("coordinationOverrides", "initialRoundTimeoutSeconds"),
        ("coordinationOverrides", "maxNewAnswersPerAgent"),
        ("coordinationOverrides", "fairnessLeadCapAnswers"),
        ("budget", "seconds"),
        ("budget", "usd"),
        ("budget", "tokens"),
    ],
)
async def test_a_specification_with_an_absurd_number_is_refused_by_its_path(
    serve_forked: Serve, models: ModelServer, where: str, key: str, number: float
) -> None:
    client = await serve_forked(config=team_config(models, "alpha"))
    value = int(number) if key in {"tokens", "maxNewAnswersPerAgent", "fairnessLeadCapAnswers"} else number
    if (key, number) == ("tokens", 1e12):
        value += 1
    with pytest.raises(LspError) as refused:
        await client.command("teamwright.launch_run", task="Do it.", **{where: {key: value}})
    assert (refused.value.code, [fault["path"] for fault in refused.value.data["errors"]]) == (400, [f"{where}.{key}"])


@pytest.mark.parametrize("number", ["1e12", "-1", ".nan", ".inf", "-.inf", "1" + "0" * 400])
async def test_a_configuration_with_an_absurd_number_is_a_fault_at_its_place(
    serve_forked: Serve, models: ModelServer, number: str
) -> None:
    config = team_config(models, "alpha", extra=f"timeout_settings: {{orchestrator_timeout_seconds: {number}}}\n")
    client = await serve_forked(config=config)
    with pytest.raises(LspError) as refused:
        await client.command("teamwright.chat", text="Hello.")
    assert "orchestrator_timeout_seconds" in str(refused.value)


@pytest.mark.parametrize("number", [2**70, -1])
async def test_a_place_that_no_log_has_is_refused(serve_forked: Serve, models: ModelServer, number: int) -> None:
    client = await serve_forked(config=team_config(models, "alpha"))
    for command, key in {"session.open": "afterSeq", "session.fork": "atSeq"}.items():
        with pytest.raises(LspError) as refused:
            await client.command(f"teamwright.{command}", sessionId="ses_1", **{key: number})
        assert refused.value.code == 400
