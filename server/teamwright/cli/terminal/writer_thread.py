"""The one thread that writes lines: a reader who does not read holds up the words, never the team."""

import threading
from collections.abc import Callable
from queue import SimpleQueue

from anyio import to_thread

Job = Callable[[], None]


class WriterThread:
    """What waits to be written is at most what one conversation says, so the queue needs no bound of its own."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[Job] = SimpleQueue()
        threading.Thread(target=self._write, name="writer", daemon=True).start()

    def post(self, job: Job) -> None:
        self._jobs.put(job)

    async def settle(self) -> None:
        """Returns when all that was posted so far is written."""
        written = threading.Event()
        self.post(written.set)
        await to_thread.run_sync(written.wait, abandon_on_cancel=True)

    def _write(self) -> None:
        while True:
            job = self._jobs.get()
            try:
                job()
            except OSError:
                # The terminal is gone. The run goes on and its files have everything.
                continue
