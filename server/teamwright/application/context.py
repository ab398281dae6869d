"""Who asks: the sessions and what they stand on, and the client that hears what becomes of its commands."""

from dataclasses import dataclass
from pathlib import Path

from anyio import to_thread

from teamwright.application.background import BackgroundTasks
from teamwright.application.transcripts import ClientTranscripts
from teamwright.protocol.command_table import PartId
from teamwright.protocol.ids import RunId
from teamwright.runtime.bus import Listener
from teamwright.runtime.runs.files import run_directory
from teamwright.runtime.services import Services
from teamwright.runtime.sessions.session import Session
from teamwright.runtime.sessions.supervisor import Supervisor
from teamwright.store.directories import make_private_directory


@dataclass(frozen=True, slots=True)
class CommandContext:
    supervisor: Supervisor
    client: Listener
    background: BackgroundTasks
    # Of a client that draws them.
    transcripts: ClientTranscripts | None = None

    async def services(self) -> Services:
        """Opened when first needed. Raises what a user must mend first, such as a faulty configuration."""
        return await self.supervisor.services()

    async def attend(self, session: Session) -> None:
        """Whoever writes to a session hears what becomes of it."""
        (await self.services()).bus.subscribe(self.client, session.session_id)

    async def attend_to(self, part_id: PartId) -> None:
        """Raises NotFound, and Conflict where another process writes to its session."""
        await self.attend(await self.supervisor.session_with(part_id))

    async def run_directory(self, run_id: RunId) -> Path:
        """Where the files of a run lie."""
        return run_directory((await self.services()).state_path, run_id)

    async def keep_result(self, name: str, text: str) -> Path:
        """The text as a Markdown file for this user's eyes alone. Raises OSError."""
        path = (await self.services()).state_path / "results" / f"{name}.md"
        await to_thread.run_sync(_write, path, text)
        return path


def _write(path: Path, text: str) -> None:
    make_private_directory(path.parent)
    path.write_text(text, encoding="utf-8")
