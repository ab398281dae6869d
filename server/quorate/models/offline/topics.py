"""The one name of a matter that several analysers know, each under a number of its own. Pure."""

from typing import Final, NamedTuple

from quorate.protocol.findings import Severity


class Topic(NamedTuple):
    title: str
    severity: Severity


BARE_EXCEPT: Final = Topic("Bare `except` hides every error", "warning")
COMPLEX: Final = Topic("Function is hard to follow: too many branches", "warning")
EVAL: Final = Topic("Text is run as code", "error")
WRITTEN_SECRET: Final = Topic("Secret written into the source", "error")
SHELL: Final = Topic("Command goes through a shell", "error")
TLS: Final = Topic("TLS certificates are not verified", "error")
DEBUGGER: Final = Topic("Debugger call left in the code", "warning")
_SWALLOWED: Final = Topic("Exception is swallowed without a trace", "warning")
_WEAK_HASH: Final = Topic("Weak hash", "warning")

# ruff took over bandit's checks with their numbers: S105 is B105.
_SECURITY: Final = {
    "102": EVAL,
    "103": Topic("File is made accessible to everyone", "warning"),
    "105": WRITTEN_SECRET,
    "106": WRITTEN_SECRET,
    "107": WRITTEN_SECRET,
    "108": Topic("Temporary file at a place that can be guessed", "warning"),
    "110": _SWALLOWED,
    "112": _SWALLOWED,
    "113": Topic("Request without a time-out", "warning"),
    "301": Topic("Unpickling runs what the data says", "warning"),
    "303": _WEAK_HASH,
    "307": EVAL,
    "311": Topic("Random numbers are not fit for secrets", "warning"),
    "324": _WEAK_HASH,
    "501": TLS,
    "506": Topic("`yaml.load` builds any object the file names", "warning"),
    "602": SHELL,
    "604": SHELL,
    "605": SHELL,
    "608": Topic("SQL is put together from text", "warning"),
}


def security_topic(number: str) -> Topic | None:
    return _SECURITY.get(number)
