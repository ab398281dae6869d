"""The log: whole on stderr, where editors keep it, and its sentences at the client. Secrets are in neither."""

import logging
import os
import sys
from typing import Final

from quorate.lsp.transport.peer import Peer
from quorate.lsp.transport.redaction import Redaction

_MESSAGE_TYPES: Final = {logging.ERROR: 1, logging.WARNING: 2, logging.INFO: 3}


def begin_logging(peer: Peer) -> None:
    redaction = Redaction(os.environ)
    on_stderr = logging.StreamHandler(sys.stderr)
    on_stderr.setLevel(logging.WARNING)
    on_stderr.setFormatter(RedactingFormatter(redaction, "quorate: %(levelname)s: %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [on_stderr]
    ours = logging.getLogger("quorate")
    ours.setLevel(logging.INFO)
    ours.handlers[:] = [ClientHandler(peer, redaction)]
    logging.captureWarnings(capture=True)
    # Else a line that cannot be formatted is shown with all its arguments, past every mask.
    logging.raiseExceptions = False


class RedactingFormatter(logging.Formatter):
    def __init__(self, redaction: Redaction, form: str) -> None:
        super().__init__(form)
        self._redaction = redaction

    def format(self, record: logging.LogRecord) -> str:
        return self._redaction(super().format(record))


class ClientHandler(logging.Handler):
    """As `window/logMessage`, the sentence alone: no traceback crosses the wire."""

    def __init__(self, peer: Peer, redaction: Redaction) -> None:
        super().__init__(logging.INFO)
        self._peer = peer
        self._redaction = redaction

    def emit(self, record: logging.LogRecord) -> None:
        try:
            text = self._redaction(record.getMessage())
        except (TypeError, ValueError):
            return
        level = max((each for each in _MESSAGE_TYPES if each <= record.levelno), default=logging.INFO)
        message = {"type": _MESSAGE_TYPES[level], "message": text}
        self._peer.notify("window/logMessage", message, may_be_lost=True)
