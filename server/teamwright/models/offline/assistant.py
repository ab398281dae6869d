"""The offline team's own voice in a chat: it says what it can do, and has the team do it."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from teamwright.models.offline.analysts import examine
from teamwright.models.offline.assignment import OfflineTask, recognised_task
from teamwright.models.offline.reading import OfflineCall, OfflineReply, exchanges, files_read
from teamwright.models.offline.wording import CAPABILITIES, TESTS_NEED_A_MODEL, explanation_text, outline
from teamwright.models.port import Message, ModelRequest, ModelToolCall, UserPrompt
from teamwright.prompts.recognising import attached_files, shown_result, without_attachments

_ASKS_FOR_CHECKS: Final = re.compile(
    r"(?i)\b(?:run|do|does|did|are|is|will)\b[^.?!\n]{0,30}\b(?:tests?|test suite|checks?|build|types?)\b"
)
_ASKS_FOR_CHANGE: Final = re.compile(r"(?i)\b(?:fix|mend|clean up|correct|apply)\b")
_NAMED_FILE: Final = re.compile(r"(?<![\w/.-])((?:[\w.-]+/)*[\w-][\w.-]*\.[A-Za-z]\w{0,5})(?![\w/])")
# The report is for a model; of one without a result people need to know what became of the run, and no more.
_STANDING: Final = re.compile(r"\ARun \S+: (completed|cancelled|timed out|failed)\b")
_WITHOUT_RESULT: Final[Mapping[str, str]] = {
    "completed": "The run is done, and has no result.",
    "cancelled": "The run was cancelled; it has no result.",
    "timed out": "The run's time was up before there was a result.",
    "failed": "The run failed, for the reason that stands above.",
}
_NOT_STARTED: Final = "So nothing was looked at."
_NOT_CHECKED: Final = "So nothing was checked."
_NEEDS_TRUST: Final = (
    "Checks run the project's own code, so they need a folder that you trust, and this one is not trusted: trust it in "
    "the editor, or start the terminal with `--trusted`."
)


async def assistant_reply(request: ModelRequest) -> OfflineReply:
    """Raises ModelError."""
    asked, since = _last_question(request.messages)
    words = without_attachments(asked)
    done = list(exchanges(since))
    if ran := [(call, result.text) for call, result in done if call.name == "launch_run"]:
        launched, report = ran[-1]
        return OfflineReply(text=_told(launched, report))
    if checked := [result for call, result in done if call.name == "run_checks"]:
        return OfflineReply(text=_NOT_CHECKED if checked[-1].is_error else checked[-1].text)
    files = list(dict.fromkeys([path for path, _, _ in attached_files(asked)] + _NAMED_FILE.findall(words)))
    purpose = recognised_task(words) or ("review" if attached_files(asked) else None)
    if purpose == "tests":
        return OfflineReply(text=TESTS_NEED_A_MODEL)
    if files and purpose == "explain":
        return await _explanation(since, files)
    if files and purpose is not None:
        return _launch(request, words, asked, files, purpose)
    if _ASKS_FOR_CHECKS.search(words):
        can_check = any(tool.name == "run_checks" for tool in request.tools)
        return OfflineReply(calls=(OfflineCall("run_checks", {}),)) if can_check else OfflineReply(text=_NEEDS_TRUST)
    return OfflineReply(text=CAPABILITIES)


def _launch(request: ModelRequest, words: str, asked: str, files: Sequence[str], purpose: OfflineTask) -> OfflineReply:
    changes = bool(_ASKS_FOR_CHANGE.search(words))
    selections = [f"`{path}`, lines {first}-{last}" for path, first, last in attached_files(asked) if first is not None]
    places = "; ".join(selections) or ", ".join(f"`{path}`" for path in files)
    tool = next(tool for tool in request.tools if tool.name == "launch_run")
    arguments: dict[str, object] = {
        "task": f"{words}\n\nPlaces: {places}",
        "context_paths": [{"path": path, "permission": "write" if changes else "read"} for path in files],
    }
    if purpose == "review" and "review" in tool.schema["properties"]:
        arguments["review"] = True
    return OfflineReply("I have the analysers look at it.", (OfflineCall("launch_run", arguments),))


async def _explanation(since: Sequence[Message], files: Sequence[str]) -> OfflineReply:
    asked = {call.arguments.get("path") for call, _ in exchanges(since) if call.name == "read_file"}
    if unread := [path for path in files if path not in asked]:
        return OfflineReply(calls=tuple(OfflineCall("read_file", {"path": path}) for path in unread))
    sources = [read.source for read in files_read(since)]
    if not sources:
        return OfflineReply(text=f"None of {', '.join(f'`{path}`' for path in files)} could be read.")
    report = await examine("structure", sources)
    outlines = "\n\n".join(outline(source) for source in sources)
    return OfflineReply(text=f"{outlines}\n\n{explanation_text('structure', sources, report, outlines)}")


def _told(launched: ModelToolCall, report: str) -> str:
    """What the team presented has been seen; only what it came to otherwise needs to be told."""
    result = shown_result(report)
    standing = _STANDING.match(report)
    if standing is None:
        return _NOT_STARTED
    if result is None or standing[1] != "completed":
        return result or _WITHOUT_RESULT[standing[1]]
    paths = launched.arguments.get("context_paths", ())
    if any(path.get("permission") == "write" for path in paths):
        return "That is the team's result."
    names = " ".join(str(path.get("path")) for path in paths)
    return f"That is the team's result. Say `fix {names}` to have proposed what can be fixed safely."


def _last_question(messages: Sequence[Message]) -> tuple[str, Sequence[Message]]:
    """What the user said last, and all that has happened since. What stands in brackets is not the user's."""
    for index in reversed(range(len(messages))):
        message = messages[index]
        if isinstance(message, UserPrompt) and not message.text.startswith("["):
            return message.text, messages[index:]
    return "", messages
