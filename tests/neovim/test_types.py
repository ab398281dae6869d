"""The generated types are held: what the plugin is sent, sends and reads in every test of this folder is checked."""

from pathlib import Path

import pytest

from tests.support.neovim.door import TYPES, WIRE_TYPES, Nvim

pytestmark = pytest.mark.asyncio

# A connection whose server says what the test wants, held to the types like a real one.
_CONNECTED = """
local types_path, faults_path, code, messages = ...
vim.lsp.rpc.start = function(_, dispatchers)
  return {
    request = function(_, _, callback) callback(nil, messages.result) end,
    say = dispatchers.notification,
  }
end
dofile(WIRE_TYPES)(types_path, faults_path)
local read
local client = vim.lsp.rpc.start({}, { notification = function(_, record) read = record end })
if messages.event then client.say("teamwright/event", messages.event) end
if messages.params then
  local call = { command = messages.command, arguments = { messages.params } }
  client.request("workspace/executeCommand", call, function(_, result) read = result end)
end
assert(loadstring(code))(read)
""".replace("WIRE_TYPES", f"'{WIRE_TYPES}'")

_NOTICE = {"v": 1, "at": "2026-11-17T00:00:00Z", "event": {"type": "notice.raised", "level": "info", "text": "Hello."}}
_CHAT = {"command": "teamwright.chat", "params": {"text": "Hello."}}
_STARTED = {"sessionId": "ses_1", "turnId": "trn_1"}


@pytest.mark.parametrize(
    ("messages", "code", "said"),
    [
        ({"event": _NOTICE}, "local record = ... return record.event.hint", []),
        (
            {"event": _NOTICE},
            "local record = ... return record.event.hnit",
            ["reads hnit of a teamwright.NoticeRaised"],
        ),
        ({"event": {**_NOTICE, "v": "1"}}, "", ["event.v is not 1"]),
        (
            {"event": {**_NOTICE, "event": {"type": "notice.raised", "level": "loud", "text": ""}}},
            "",
            ["event.event.level is none of what it can be"],
        ),
        (
            {"event": {**_NOTICE, "event": {"type": "notice.raised", "level": "info"}}},
            "",
            ["teamwright.NoticeRaised lacks its field text"],
        ),
        ({**_CHAT, "result": _STARTED}, "local result = ... return result.turnId", []),
        (
            {**_CHAT, "result": _STARTED},
            "local result = ... return result.runId",
            ["reads runId of a teamwright.ChatResult"],
        ),
        ({**_CHAT, "result": {"sessionId": 1, "turnId": "trn_1"}}, "", ["answered.sessionId is no string: 1"]),
        (
            {**_CHAT, "params": {"text": "Hello.", "loud": True}, "result": _STARTED},
            "",
            ["teamwright.chat sent: teamwright.ChatParams has no field loud"],
        ),
        (
            {**_CHAT, "command": "teamwright.chatter", "result": _STARTED},
            "",
            ["there is no command teamwright.chatter"],
        ),
    ],
)
async def test_a_message_or_a_reading_that_is_not_of_the_types_is_a_fault(
    nvim: Nvim, tmp_path: Path, messages: dict[str, object], code: str, said: list[str]
) -> None:
    editor = await nvim()
    faults = tmp_path / "faults"
    await editor.lua(_CONNECTED, str(TYPES), str(faults), code, messages)
    told = faults.read_text(encoding="utf-8").splitlines() if faults.exists() else []
    assert [expected in line for expected, line in zip(said, told, strict=True)] == [True] * len(said), told
