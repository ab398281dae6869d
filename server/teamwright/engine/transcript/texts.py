"""What was said: the user's messages, answers as they stream, thoughts, and remarks in between."""

from collections.abc import Iterator
from difflib import unified_diff
from typing import Any, Literal

from teamwright.engine.transcript.entries import TEXT, Origin, StreamedText, Subject
from teamwright.engine.transcript.words import PathOf, counted, on_one_line, place
from teamwright.protocol.events import NoticeRaised, SessionCompacted, TurnFinished
from teamwright.protocol.ids import EntryId, ItemId, RunId
from teamwright.protocol.items import Attachment
from teamwright.protocol.transcript import (
    Action,
    CodeData,
    CodePart,
    Entry,
    EntryKind,
    EntryState,
    LinkData,
    LinkPart,
    MarkdownPart,
    PlainPart,
)

ASSISTANT = "Assistant"


class MessageSubject(Subject):
    """`state` of a message that reached what was under way is steered."""

    def __init__(
        self,
        entry_id: EntryId,
        origin: Origin,
        text: str,
        attachments: tuple[Attachment, ...],
        path_of: PathOf,
        *,
        state: EntryState = "sent",
    ) -> None:
        super().__init__(entry_id, origin)
        self.text = text
        self.attachments = attachments
        self.state: EntryState = state
        self.waits = state == "queued"
        self._path_of = path_of
        self.title = "You"
        # Its turn is being worked on.
        self.is_under_way = False
        # What its turn has at work.
        self.runs: set[RunId] = set()
        # Of the item that it became.
        self.item_id: ItemId | None = None

    def draw(self) -> Entry:
        text = StreamedText(self.text)
        said = PlainPart(part=TEXT, text=text.text, truncated=text.is_cut or None)
        attached = (self._attached(number, each) for number, each in enumerate(self.attachments))
        return Entry(
            entry_id=self.entry_id,
            kind="message",
            title=self.title,
            parts=(said, *attached),
            actions=tuple(self._actions()),
            state=self.state,
            **self.origin.fields(),
        )

    def _actions(self) -> Iterator[Action]:
        if self.state == "queued" or self.is_under_way:
            label = "Take back" if self.state == "queued" else self._stop
            arguments = {"turnId": self.origin.turn_id}
            yield Action(label=label, command="teamwright.cancel", arguments=arguments, key="x")

    @property
    def _stop(self) -> str:
        """With all that ends with it."""
        if not self.runs:
            return "Stop"
        return f"Stop the answer and its {'run' if len(self.runs) == 1 else counted(len(self.runs), 'run')}"

    def _attached(self, number: int, attachment: Attachment) -> LinkPart:
        words = place(self._path_of(attachment.uri), attachment.range)
        data = LinkData(uri=attachment.uri, range=attachment.range)
        return LinkPart(part=f"attachment {number + 1}", text=words, data=data)


class TextSubject(Subject):
    """Text of the assistant or of an agent, as Markdown."""

    def __init__(self, entry_id: EntryId, origin: Origin, kind: Literal["answer", "reasoning"], title: str) -> None:
        super().__init__(entry_id, origin)
        self.stream = StreamedText()
        self._kind: EntryKind = kind
        self.title = title
        # The text before this one, where it is a better version of it.
        self.earlier: str | None = None
        self._whole: StreamedText = self.stream

    @property
    def is_empty(self) -> bool:
        """Whether it has ended without a word."""
        return self.stream is None and not self._whole.text.strip()

    def catch_up(self, text: str) -> None:
        """With what came of it before anybody listened."""
        if self.stream is not None:
            self.stream.catch_up(text)

    def begin_anew(self) -> None:
        """Another takes the word, or the same one once more."""
        self._whole = self.stream = StreamedText()

    @property
    def text(self) -> str:
        return self._whole.text

    def finish(self, text: str) -> None:
        self._whole = StreamedText(text)
        self.stream = None

    def draw(self) -> Entry:
        is_reasoning = self._kind == "reasoning"
        part = MarkdownPart(
            part=TEXT, text=self._whole.text, truncated=self._whole.is_cut or None, folded=is_reasoning or None
        )
        return Entry(
            entry_id=self.entry_id,
            kind=self._kind,
            title=self._heading() if is_reasoning else self.title,
            parts=(part, *self._revision()),
            state="done" if self.stream is None else "streaming",
            **self.origin.fields(),
        )

    def _revision(self) -> Iterator[CodePart]:
        if self.earlier is not None:
            lines = list(unified_diff(self.earlier.splitlines(), self.text.splitlines(), n=2, lineterm=""))
            # Without the two lines that name the files.
            text = StreamedText("\n".join(lines[2:])).text
            yield CodePart(
                part="revision", title="What changed", text=text, data=CodeData(language="diff"), folded=True
            )

    def _heading(self) -> str:
        return "Thinking…" if self.stream is not None else "Thought about it"


class RemarkSubject(Subject):
    """Said once, and never changed."""

    def __init__(self, entry_id: EntryId, origin: Origin, entry: Entry) -> None:
        super().__init__(entry_id, origin)
        self._entry = entry.model_copy(update={"entry_id": entry_id, **origin.fields()})

    def draw(self) -> Entry:
        return self._entry


def remark(
    kind: EntryKind, title: str, text: str = "", *, state: EntryState, actions: tuple[Action, ...] = ()
) -> Entry:
    parts = (PlainPart(part=TEXT, text=text),) if text else ()
    return Entry(entry_id=EntryId(""), kind=kind, title=title, parts=parts, actions=actions, state=state)


def notice(event: NoticeRaised) -> Entry:
    return _notice(event.level, event.text, event.hint or "")


def warning(text: str) -> Entry:
    return _notice("warning", text)


def _notice(level: EntryState, text: str, hint: str = "") -> Entry:
    title = on_one_line(text)
    parts = (text if title.endswith("…") else "", hint)
    return remark("notice", title, "\n".join(part for part in parts if part), state=level)


def compaction(event: SessionCompacted) -> Entry:
    summary = StreamedText(event.summary)
    part = MarkdownPart(part=TEXT, text=summary.text, folded=True, truncated=summary.is_cut or None)
    title = "Earlier messages were summed up to make room"
    return Entry(entry_id=EntryId(""), kind="compaction", title=title, parts=(part,), state="done")


def turn_ending(
    event: TurnFinished, session_id: str | None, text: str, attachments: tuple[Attachment, ...] = ()
) -> Entry | None:
    """None where it ended well: its answer says so."""
    if event.outcome == "completed":
        return None
    if event.outcome == "cancelled":
        return remark("notice", "Cancelled", state="info")
    again: dict[str, Any] = {"sessionId": session_id, "text": text}
    if attachments:
        again["attachments"] = [each.to_wire() for each in attachments]
    retry = Action(label="Try again", command="teamwright.chat", arguments=again, key="r")
    said = event.error or "This turn failed."
    title = on_one_line(said)
    return remark("error", title, said if title != said else "", state="error", actions=(retry,) if text else ())
