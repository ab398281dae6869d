"""The offline team's own voice in a chat: it says what it can do, and has the team do it."""

import re
from collections.abc import Sequence
from typing import Final

from quorate.models.offline.analysts import examine
from quorate.models.offline.assignment import Errand, errand_of
from quorate.models.offline.outline import outline
from quorate.models.offline.reading import exchanges, files_read
from quorate.models.offline.reply import Call, Reply
from quorate.models.offline.wording import CAPABILITIES, explanation_text
from quorate.models.port import Message, ModelRequest, ToolCall, UserMessage
from quorate.prompts.recognising import attached_files, without_attachments

_ASKS_FOR_WORK: Final = re.compile(
    r"(?i)\b(?:review|check|lint|audit|fix|mend|improve|clean|analy[sz]e|find|look at|scan|inspect|problems?|bugs?)\b"
)
_ASKS_FOR_CHANGE: Final = re.compile(r"(?i)\b(?:fix|mend|clean up|correct|apply)\b")
_NAMED_FILE: Final = re.compile(r"(?<![\w/.-])((?:[\w.-]+/)*[\w-][\w.-]*\.[A-Za-z]\w{0,5})(?![\w/])")
_RESULT: Final = re.compile(r"<result [^>]*>\n(.*?)\n</result>", re.DOTALL)
_COMPLETED: Final = re.compile(r"Run \S+: completed\.")
_FIRST_LINES: Final = 12


async def assistant_reply(request: ModelRequest) -> Reply:
    """Raises ModelError."""
    asked, since = _last_question(request.messages)
    words = without_attachments(asked)
    done = list(exchanges(since))
    if ran := [(call, result.text) for call, result in done if call.name == "launch_run"]:
        launched, report = ran[-1]
        return Reply(text=_told(launched, report))
    files = list(dict.fromkeys([path for path, _, _ in attached_files(asked)] + _NAMED_FILE.findall(words)))
    errand = errand_of(words)
    if files and errand == "explain":
        return await _explanation(since, files)
    if files and (_ASKS_FOR_WORK.search(words) or attached_files(asked)):
        return _launch(request, words, asked, files, errand)
    return Reply(text=CAPABILITIES)


def _launch(request: ModelRequest, words: str, asked: str, files: Sequence[str], errand: Errand) -> Reply:
    changes = bool(_ASKS_FOR_CHANGE.search(words))
    selections = [f"`{path}`, lines {first}-{last}" for path, first, last in attached_files(asked) if first is not None]
    places = "; ".join(selections) or ", ".join(f"`{path}`" for path in files)
    tool = next(tool for tool in request.tools if tool.name == "launch_run")
    arguments: dict[str, object] = {
        "task": f"{words}\n\nPlaces: {places}",
        "context_paths": [{"path": path, "permission": "write" if changes else "read"} for path in files],
    }
    if errand == "review" and "review" in tool.schema["properties"]:
        arguments["review"] = True
    return Reply("I have the analysers look at it.", (Call("launch_run", arguments),))


async def _explanation(since: Sequence[Message], files: Sequence[str]) -> Reply:
    asked = {call.arguments.get("path") for call, _ in exchanges(since) if call.name == "read_file"}
    if unread := [path for path in files if path not in asked]:
        return Reply(calls=tuple(Call("read_file", {"path": path}) for path in unread))
    sources = [read.source for read in files_read(since)]
    if not sources:
        return Reply(text=f"None of {', '.join(f'`{path}`' for path in files)} could be read.")
    report = await examine("structure", sources)
    outlines = "\n\n".join(outline(source) for source in sources)
    return Reply(text=f"{outlines}\n\n{explanation_text('structure', sources, report, outlines)}")


def _told(launched: ToolCall, report: str) -> str:
    """What the team presented has been seen; only what it came to otherwise needs to be told."""
    result = _RESULT.search(report)
    if result is None or not _COMPLETED.match(report):
        return result[1] if result else "\n".join(report.splitlines()[:_FIRST_LINES])
    paths = launched.arguments.get("context_paths", ())
    if any(path.get("permission") == "write" for path in paths):
        return "That is the team's result."
    names = " ".join(str(path.get("path")) for path in paths)
    return f"That is the team's result. Say `fix {names}` to have proposed what can be fixed safely."


def _last_question(messages: Sequence[Message]) -> tuple[str, Sequence[Message]]:
    """What the user said last, and all that has happened since. What stands in brackets is not the user's."""
    for index in reversed(range(len(messages))):
        message = messages[index]
        if isinstance(message, UserMessage) and not message.text.startswith("["):
            return message.text, messages[index:]
    return "", messages
