"""An editor behind the port: it makes writes in documents, on disk, only in part, late, or not at all."""

from collections.abc import Callable, Sequence

from teamwright.protocol.ids import AgentId
from teamwright.workspace.changes.file_writes import EditAccepted, EditDeclined, EditOutcome, Write
from teamwright.workspace.files.documents import Document
from tests.workspace.desk import Desk

Making = Callable[[Write], None]


class Screen:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        # Every step that was asked for: which files, from which version.
        self.steps: list[list[tuple[str, int | None]]] = []
        # What happens instead, once, on each of the next steps.
        self.instead: list[Callable[[Sequence[Write]], EditOutcome]] = []

    def can_make(self, write: Write) -> bool:
        return write.encoding == "utf-8"

    async def make(self, writes: Sequence[Write], agent_id: AgentId) -> EditOutcome:
        assert agent_id == "claude"
        versions = [(write.found.document.version if write.found.document else None) for write in writes]
        self.steps.append([(write.path.parts[-1], version) for write, version in zip(writes, versions, strict=True)])
        if self.instead:
            return self.instead.pop(0)(writes)
        for write in writes:
            self.show(write)
        return EditAccepted()

    def show(self, write: Write) -> None:
        """As it was meant."""
        path = "/".join(write.path.parts)
        if write.text is None:
            (self._desk.folder / path).unlink()
            self._desk.documents.close(write.uri)
            return
        version = write.found.document.version + 1 if write.found.document else 1
        self._desk.documents.show(Document(self._desk.live.uri(write.path), version, write.text))

    def says(self, answer: EditOutcome, *makings: Making) -> None:
        """On the next step these happen to its writes, and then it answers so."""

        def step(writes: Sequence[Write]) -> EditOutcome:
            for making, write in zip(makings, writes, strict=True):
                making(write)
            return answer

        self.instead.append(step)


def nothing(_: Write) -> None:
    """The write is not made."""


REFUSED = EditDeclined("no")
