"""Talking to the assistant in the split."""

import pytest

from tests.support.doors import team_config
from tests.support.model_server import ModelServer, text
from tests.support.neovim.door import Nvim

pytestmark = pytest.mark.asyncio


@pytest.mark.proves("E2", "A1")
async def test_a_message_is_written_in_the_split_and_its_answer_streams_in(nvim: Nvim, models: ModelServer) -> None:
    rest = models.gate("the rest")
    models.model("alpha").replies(text("The sky ", "is blue.").waits_for(rest, at=1))
    editor = await nvim(config=team_config(models, "alpha"))
    await editor.command("Quorate chat")
    await editor.keys("Why is the sky blue?<C-s>")
    screen = await editor.shows("▎You", "Why is the sky blue?", "▎Assistant", "The sky")
    assert "is blue." not in screen
    rest.release()
    await editor.shows("The sky is blue.")
    print(editor.screen.text)
