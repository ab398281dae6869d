"""The process that started us. When it ends we leave, even if somebody else holds our pipes open."""

import os
import select
import sys
import threading
from collections.abc import Callable
from contextlib import suppress


def watch_parent(process_id: object, is_gone: Callable[[], None]) -> None:
    """`is_gone` is called from another thread. A process that is not on this machine is not watched."""
    if not isinstance(process_id, int) or isinstance(process_id, bool) or process_id <= 0:
        return

    def watch() -> None:
        with suppress(OSError):
            _wait_for_end(process_id)
            is_gone()

    threading.Thread(target=watch, name="parent", daemon=True).start()


if sys.platform == "win32":
    import ctypes

    def _wait_for_end(process_id: int) -> None:
        synchronize, forever = 0x00100000, 0xFFFFFFFF
        handle = ctypes.windll.kernel32.OpenProcess(synchronize, False, process_id)
        if not handle:
            raise ProcessLookupError(process_id)
        ctypes.windll.kernel32.WaitForSingleObject(handle, forever)

elif sys.platform == "linux":

    def _wait_for_end(process_id: int) -> None:
        descriptor = os.pidfd_open(process_id)
        try:
            poll = select.poll()
            poll.register(descriptor, select.POLLIN)
            poll.poll()
        finally:
            os.close(descriptor)

else:

    def _wait_for_end(process_id: int) -> None:
        ended = select.kevent(
            process_id, select.KQ_FILTER_PROC, select.KQ_EV_ADD | select.KQ_EV_ONESHOT, select.KQ_NOTE_EXIT
        )
        queue = select.kqueue()
        try:
            queue.control([ended], 1)
        finally:
            queue.close()
