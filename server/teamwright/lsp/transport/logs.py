"""The log: whole on stderr, where editors keep it, and its sentences at the client. Secrets are in neither."""

import logging
import os
import re
import sys
from collections.abc import Mapping
from typing import Final

from teamwright.config.secrets import is_secret_name
from teamwright.lsp.transport.peer import Peer

_MASK: Final = "***"
# Shorter values are words like "none" or "test", and masking them would mangle every text.
_SHORTEST_SECRET: Final = 8
_SHAPES: Final = re.compile(
    r"\b(?:sk|pk|rk|xai|gsk|ghp|gho|hf|r8)[-_][A-Za-z0-9_\-]{8,}|\bAIza[A-Za-z0-9_\-]{20,}|(?<=bearer )[^\s\"']+",
    re.IGNORECASE,
)
_MESSAGE_TYPES: Final = {logging.ERROR: 1, logging.WARNING: 2, logging.INFO: 3}


class Redaction:
    """Secrets taken out of a text: those that the environment holds, and what looks like one."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        secrets = {value for name, value in environ.items() if is_secret_name(name) and len(value) >= _SHORTEST_SECRET}
        # Longest first: a secret may begin with another.
        found = sorted(map(re.escape, secrets), key=len, reverse=True)
        self._held = re.compile("|".join(found)) if found else None

    def __call__(self, text: str) -> str:
        shapeless = _SHAPES.sub(_MASK, text)
        return self._held.sub(_MASK, shapeless) if self._held is not None else shapeless


def begin_logging(peer: Peer) -> None:
    redaction = Redaction(os.environ)
    on_stderr = logging.StreamHandler(sys.stderr)
    on_stderr.setLevel(logging.WARNING)
    on_stderr.setFormatter(RedactingFormatter(redaction, "teamwright: %(levelname)s: %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [on_stderr]
    ours = logging.getLogger("teamwright")
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
