"""What loading the room costs: no SDK before it is needed, and never on the event loop."""

import subprocess
import sys

import pytest

from teamwright.config.presets import ApiKind
from tests.models.asking import KEY, KEY_VARIABLE
from tests.support.model_server import ModelServer, text

HEAVY = ("anthropic", "genai_prices", "httpx2", "jsonschema", "mcp", "openai")
ROOM = "teamwright.models.factory, teamwright.models.health, teamwright.models.port, teamwright.models.errors"


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_importing_the_room_imports_no_sdk() -> None:
    assert python(f"import {ROOM}, sys; print([name for name in {HEAVY!r} if name in sys.modules])") == "[]"


ASK = """
import asyncio, sys
from tests.models.asking import answer_of, asking, backend_at
from teamwright.models.factory import Models

async def main():
    async with Models({{"{variable}": "{key}"}}) as house:
        model = house.open(backend_at("{url}", "{wire}"))
        assert not {{"openai", "anthropic"}} & set(sys.modules)
        await answer_of(model, asking())
    print(sorted({{"openai", "anthropic"}} & set(sys.modules)))

asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("wire", "sdk"), [("openai_chat", "openai"), ("openai_responses", "openai"), ("anthropic", "anthropic")]
)
def test_only_the_sdk_in_use_is_imported(wire: ApiKind, sdk: str, models: ModelServer) -> None:
    models.model("alpha").replies(text("Hello"))
    url = models.url if wire == "anthropic" else models.openai_url

    assert python(ASK.format(variable=KEY_VARIABLE, key=KEY, url=url, wire=wire)) == f"['{sdk}']"
