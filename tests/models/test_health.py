"""Which backends would answer, asked all at once."""

import asyncio
import os
from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from teamwright.config.backends import OfflineBackend
from teamwright.config.presets import ApiKind
from teamwright.models.factory import Models
from teamwright.models.health import Health, probe
from tests.models.asking import KEY, KEY_VARIABLE, WIRES, backend, backend_at, program_backend
from tests.support.model_server import ModelServer, fails, never_answers, text
from tests.support.programs.installation import Programs

every_wire = pytest.mark.parametrize("wire", WIRES)


@pytest_asyncio.fixture
async def providers(programs: Programs) -> AsyncGenerator[Models]:
    async with Models({**os.environ, KEY_VARIABLE: KEY}) as models:
        yield models


def verdict(health: Health) -> tuple[bool | None, bool | None, bool]:
    return health.reachable, health.model_known, health.ok


@every_wire
@pytest.mark.asyncio
async def test_a_model_on_the_list_is_healthy_and_is_not_asked(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    models.model("alpha")

    (health,) = await probe(providers, [backend(models, wire)])

    assert verdict(health) == (True, True, True)
    assert health.seconds is not None
    assert [request.method for request in models.requests] == ["GET"]


@every_wire
@pytest.mark.asyncio
async def test_a_model_that_is_not_on_the_list_is_asked_for_a_word(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    models.listing.replies(fails(403))
    models.model("alpha").replies(text("Hello"))

    (health,) = await probe(providers, [backend(models, wire)])

    assert verdict(health) == (True, True, True)
    assert [request.method for request in models.requests] == ["GET", "POST"]


@every_wire
@pytest.mark.asyncio
async def test_an_unknown_model_says_what_to_correct(wire: ApiKind, providers: Models, models: ModelServer) -> None:
    models.model("alpha").replies(fails(404))
    models.listing.replies(fails(404))

    (health,) = await probe(providers, [backend(models, wire)])

    assert verdict(health) == (True, False, False)
    assert "has no model 'alpha': correct `model`" in (health.problem or "")


@every_wire
@pytest.mark.asyncio
async def test_a_refused_key_says_which_variable_to_set(wire: ApiKind, providers: Models, models: ModelServer) -> None:
    models.requires_key("another")

    (health,) = await probe(providers, [backend(models, wire)])

    assert verdict(health) == (True, None, False)
    assert KEY_VARIABLE in (health.problem or "")


@every_wire
@pytest.mark.asyncio
async def test_a_server_that_is_not_there_and_one_that_is_silent_are_not_reachable(
    wire: ApiKind, providers: Models, models: ModelServer
) -> None:
    models.listing.replies(never_answers())

    absent, silent = await probe(
        providers, [backend_at(models.refusing_url, wire), backend(models, wire)], deadline=1.0
    )

    assert verdict(absent) == verdict(silent) == (False, None, False)
    assert "cannot be reached" in (absent.problem or "")
    assert "did not answer within 1 s" in (silent.problem or "")


@pytest.mark.asyncio
async def test_all_are_asked_at_once_and_reported_in_their_order(
    providers: Models, models: ModelServer, programs: Programs
) -> None:
    gate = models.gate("both lists are asked for")
    models.model("alpha")
    models.listing.replies(fails(403).waits_for(gate), fails(403).waits_for(gate))
    models.model("alpha").always(text("Hello"))
    programs.install("claude")
    team = [
        backend(models, "openai_chat"),
        program_backend("claude_code", "claude"),
        program_backend("gemini_cli", "gemini"),
        backend(models, "anthropic"),
        OfflineBackend(None),
    ]

    async def release() -> None:
        await gate.reached(times=2)
        gate.release()

    found, _ = await asyncio.gather(probe(providers, team), release())

    assert [(health.provider, health.ok) for health in found[1:]] == [
        ("Claude Code", True),
        ("Gemini CLI", False),
        ("Anthropic", True),
        ("Offline team", True),
    ]
    assert found[0].ok
    assert found[1].version == "2.1.232"
    assert "is not on the PATH" in (found[2].problem or "")
