"""From what the operating system says to what a user can act on: one sentence that names the file."""

import errno

from quorate.protocol.errors import Conflict, NotFound, NotPermitted, UserError

_MISSING = {errno.ENOENT, errno.ENOTDIR}
_CLOSED = {errno.EACCES, errno.EPERM, errno.EROFS}


class IsFolder(NotPermitted):
    """A folder stands where a file was named."""


def fault_of(error: OSError, shown: str) -> UserError:
    if error.errno in _MISSING:
        return NotFound(f"`{shown}` does not exist.")
    if error.errno == errno.EISDIR:
        return IsFolder(f"`{shown}` is a folder; name a file in it.")
    if error.errno == errno.ELOOP:
        return NotPermitted(f"`{shown}` leads through {_link(error)}, and links are not followed; name the real path.")
    if error.errno in _CLOSED:
        return NotPermitted(f"`{shown}` is closed to Quorate: {_said(error)}; check its permissions.")
    return Conflict(f"`{shown}` could not be used: {_said(error)}.")


def _link(error: OSError) -> str:
    return f"the link `{error.filename}` to `{error.filename2}`" if error.filename2 else "a link"


def _said(error: OSError) -> str:
    return (error.strerror or type(error).__name__).rstrip(".").lower()
