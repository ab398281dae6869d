"""What a client draws: entries with stable ids, and the patches between two states of them.

Nothing here has to be computed, translated or looked up by a client: it keeps entries by id, appends text, and draws
parts by their kind. Text is Markdown where it says so and plain everywhere else, never HTML; in plain text every
character is seen. What a person decides on has no Markdown in it, which could hide words.
"""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, Field
from typing_extensions import TypeAliasType

from teamwright.protocol.base import Maybe, Wire, Words
from teamwright.protocol.changes import Hunk
from teamwright.protocol.ids import AgentId, DecisionId, EntryId, RunId, TurnId
from teamwright.protocol.items import Range
from teamwright.protocol.visible_text import visible_within

EntryKind = Literal[
    "message",
    "answer",
    "reasoning",
    "activity",
    "run",
    "decision",
    "changes",
    "findings",
    "analysis",
    "plan",
    "tasks",
    "notice",
    "compaction",
    "error",
]
# Of a message: queued, sent, steered. Of text: streaming, done. Of a notice: its level. Of all else: what it is at.
EntryState = Literal[
    "queued",
    "sent",
    "steered",
    "streaming",
    "running",
    "waiting",
    "done",
    "failed",
    "cancelled",
    "info",
    "warning",
    "error",
]
# How something stands, as a colour or a sign: "accent" is the one to look at (the winner, the phase at hand).
Tone = Literal["ok", "bad", "warn", "busy", "idle", "accent"]


class _Part(Wire):
    # Its name within the entry, by which text is appended to it.
    part: str
    # A heading for it.
    title: Maybe[Words] = None
    # To be shown folded at first.
    folded: Maybe[bool] = None
    # Whose it is, where an entry has something of several agents.
    agent_id: Maybe[AgentId] = None
    # Only the beginning is here.
    truncated: Maybe[bool] = None


class MarkdownPart(_Part):
    kind: Literal["markdown"] = "markdown"
    text: str


class PlainPart(_Part):
    kind: Literal["plain"] = "plain"
    text: Words


class CodeData(Wire):
    # As Markdown's fences name it; "" where it is not known.
    language: str = ""


class CodePart(_Part):
    kind: Literal["code"] = "code"
    text: Words
    data: CodeData = CodeData()


class DiffHunk(Hunk):
    # Each with its sign in front: " ", "+" or "-".
    lines: tuple[Words, ...]


class DiffData(Wire):
    uri: str
    change: Literal["create", "edit", "delete"]
    added: int
    removed: int
    hunks: tuple[DiffHunk, ...]
    # What became of it, once that is settled.
    outcome: Maybe[Literal["applied", "rejected", "conflicted"]] = None


class DiffPart(_Part):
    """`text` is the file's path as people know it."""

    kind: Literal["diff"] = "diff"
    text: Words
    data: DiffData


class TableColumn(Wire):
    label: Words
    align: Maybe[Literal["right"]] = None


class TableCell(Wire):
    text: Words
    tone: Maybe[Tone] = None
    hint: Maybe[Words] = None


class TableRow(Wire):
    cells: tuple[TableCell, ...]
    agent_id: Maybe[AgentId] = None
    # No longer counts: to be struck through.
    void: Maybe[bool] = None


class TableData(Wire):
    columns: tuple[TableColumn, ...]
    rows: tuple[TableRow, ...]


class TablePart(_Part):
    """Where every column's label is empty there is no head to draw."""

    kind: Literal["table"] = "table"
    data: TableData


class LinkData(Wire):
    uri: str
    range: Maybe[Range] = None


class LinkPart(_Part):
    """`text` is what to show."""

    kind: Literal["link"] = "link"
    text: Words
    data: LinkData


class MeterData(Wire):
    used: float
    of: float


class MeterPart(_Part):
    """`text` says it in words."""

    kind: Literal["meter"] = "meter"
    text: Words
    data: MeterData


class Chip(Wire):
    label: Words
    tone: Maybe[Tone] = None
    hint: Maybe[Words] = None


class ChipsData(Wire):
    chips: tuple[Chip, ...]


class ChipsPart(_Part):
    kind: Literal["chips"] = "chips"
    data: ChipsData


class TimelineSpan(Wire):
    """Somebody at work, or something that ran. Times are seconds since the beginning."""

    start: float
    end: float
    label: Words
    tone: Maybe[Tone] = None


class TimelineMark(Wire):
    """Something that happened at a moment. `sign` is one character, for where there is no room for words."""

    at: float
    sign: str
    label: Words
    tone: Maybe[Tone] = None


class TimelineLane(Wire):
    label: Words
    # What there is to say of the whole lane, such as its cost.
    note: Maybe[Words] = None
    agent_id: Maybe[AgentId] = None
    spans: tuple[TimelineSpan, ...] = ()
    marks: tuple[TimelineMark, ...] = ()


class TimelineData(Wire):
    seconds: float
    lanes: tuple[TimelineLane, ...]
    # What the tones of spans stand for here.
    legend: tuple[Chip, ...] = ()


class TimelinePart(_Part):
    """A picture for a client to draw, one lane below the other; `text` says what it shows, and what its signs mean."""

    kind: Literal["timeline"] = "timeline"
    text: Words
    data: TimelineData


AnyPart = MarkdownPart | PlainPart | CodePart | DiffPart | TablePart | LinkPart | MeterPart | ChipsPart | TimelinePart
Part = TypeAliasType("Part", Annotated[AnyPart, Field(discriminator="kind")])


class InputOption(Wire):
    label: Words
    value: Any


class InputColumn(Wire):
    """A field of each row. What a row has beside its columns stays as it is."""

    key: str
    label: Words
    options: Maybe[tuple[InputOption, ...]] = None


class InputField(Wire):
    """Something to ask for before a command is sent, and where in its arguments the answer goes.

    `value` is what it is now; what a person leaves as it is need not be sent. By kind the value is a string (`text`),
    a number or null (`number`), a boolean (`flag`), one of the `options` (`choice`), a list of strings (`list`), a list
    of objects (`rows`, with `columns`), or the ticked hunks of this entry's diffs as `[{uri, hunks: [index]}]`
    (`hunks`; nothing at all stands for all of them).
    """

    path: tuple[str, ...]
    kind: Literal["text", "number", "flag", "choice", "list", "rows", "hunks"]
    label: Words
    value: Annotated[Maybe[Any], AfterValidator(visible_within)] = None
    placeholder: Maybe[Words] = None
    # The command makes no sense without it.
    required: Maybe[bool] = None
    # Of a text: it may well be longer than a line.
    long: Maybe[bool] = None
    options: Maybe[tuple[InputOption, ...]] = None
    columns: Maybe[tuple[InputColumn, ...]] = None
    # Fields of one group belong together, under this heading; what is rarely needed may be folded.
    group: Maybe[Words] = None


class Action(Wire):
    """A command of the wire with its arguments filled in.

    A client draws it as a button, a key or a line, asks for the `input` first where there is any, and sends it.
    """

    label: Words
    command: str
    arguments: dict[str, Any]
    # A single character that no other action of the entry has.
    key: Maybe[str] = None
    # The one to offer first.
    primary: Maybe[bool] = None
    # The part that it belongs to: an answer, a finding, a file.
    part: Maybe[str] = None
    input: Maybe[tuple[InputField, ...]] = None


class Entry(Wire):
    entry_id: EntryId
    kind: EntryKind
    # Plain text on one line.
    title: Maybe[Words] = None
    parts: tuple[Part, ...] = ()
    actions: tuple[Action, ...] = ()
    state: Maybe[EntryState] = None
    # When it came, and the session's event that it began with.
    at: Maybe[AwareDatetime] = None
    seq: Maybe[int] = None
    # Of a decision that does not wait for ever.
    expires_at: Maybe[AwareDatetime] = None
    turn_id: Maybe[TurnId] = None
    run_id: Maybe[RunId] = None
    agent_id: Maybe[AgentId] = None
    decision_id: Maybe[DecisionId] = None


class UpsertEntry(Wire):
    """A known entry is replaced where it stands. A new one goes behind the entry `after`, or to the end."""

    op: Literal["upsert"] = "upsert"
    entry: Entry
    after: Maybe[EntryId] = None


class RemoveEntry(Wire):
    op: Literal["remove"] = "remove"
    entry_id: EntryId


class AppendText(Wire):
    """`offset` counts the code points that the part has; a client that has fewer or more opens the session again."""

    op: Literal["append"] = "append"
    entry_id: EntryId
    part: str
    offset: int
    text: str


AnyPatchOp = UpsertEntry | RemoveEntry | AppendText
PatchOp = TypeAliasType("PatchOp", Annotated[AnyPatchOp, Field(discriminator="op")])


class Transcript(Wire):
    """`rev` counts notifications per client and transcript; `more` says that there are entries before these."""

    rev: int
    entries: tuple[Entry, ...]
    more: bool = False
