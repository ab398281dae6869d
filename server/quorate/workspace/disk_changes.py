"""Change sets without an editor: written to disk file by file, each whole or not at all, each with its true outcome.

Blocks on the disk: call it in a worker thread.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from quorate.permissions.paths import WorkspacePath
from quorate.protocol.changes import FileChoice, SettledFile
from quorate.protocol.errors import UserError
from quorate.workspace.change_ledger import ChangeLedger, Receipt
from quorate.workspace.change_sets import Clash, FileChange, Ready, Standing, resolve, resolve_undo, wanted
from quorate.workspace.hashes import ContentHash, hash_of
from quorate.workspace.live_files import LiveFiles, bytes_or_refusal
from quorate.workspace.safe_files import ContentChanged, Holding
from quorate.workspace.text import Encoding, Text, decode


@dataclass(frozen=True, slots=True)
class _OnDisk:
    text: str | None
    encoding: Encoding | None
    content: ContentHash | None


def apply_to_disk(
    ledger: ChangeLedger, live: LiveFiles, choices: Iterable[FileChoice] | None = None
) -> tuple[SettledFile, ...]:
    """What is chosen is applied, or left alone with a reason; without a choice, everything that is still proposed."""
    if choices is None:
        choices = [FileChoice(uri=change.uri) for change in ledger.changes("proposed")]
    chosen = [(ledger.change(choice.uri), choice.hunks) for choice in choices]
    for change, hunks in chosen:
        # A choice that makes no sense raises here, before anything is written.
        wanted(change, hunks)
    settled: list[SettledFile] = []
    for change, hunks in chosen:
        outcome = _apply(ledger, live, change, hunks)
        ledger.settle(outcome)
        settled.append(outcome)
    return tuple(settled)


def undo_on_disk(ledger: ChangeLedger, live: LiveFiles) -> tuple[SettledFile, ...]:
    """Takes back our own writes. `applied` here says that the undoing was."""
    return tuple(_undo(ledger, live, receipt) for receipt in ledger.receipts())


def _apply(ledger: ChangeLedger, live: LiveFiles, change: FileChange, hunks: tuple[int, ...] | None) -> SettledFile:
    uri = change.uri
    if hunks == ():
        return SettledFile(uri=uri, outcome="rejected", reason="none of its hunks was chosen")
    try:
        disk = _read(live, change.path)
        match resolve(change, disk.text, hunks):
            case Standing():
                return SettledFile(uri=uri, outcome="applied", reason="already as proposed")
            case Clash(reason, _, _):
                return SettledFile(uri=uri, outcome="conflicted", reason=reason)
            case Ready(text):
                ledger.intend(uri, found=disk.text, wrote=text, encoding=disk.encoding or "utf-8")
                _write(live, change.path, text, disk, disk.encoding or "utf-8")
                return SettledFile(uri=uri, outcome="applied")
    except ContentChanged as changed:
        return SettledFile(uri=uri, outcome="conflicted", reason=changed.message)
    except UserError as refused:
        return SettledFile(uri=uri, outcome="rejected", reason=refused.message)


def _undo(ledger: ChangeLedger, live: LiveFiles, receipt: Receipt) -> SettledFile:
    uri = receipt.uri
    try:
        disk = _read(live, receipt.path)
        match resolve_undo(receipt.found, receipt.wrote, disk.text):
            case Standing():
                pass
            case Clash(reason, _, _):
                return SettledFile(uri=uri, outcome="conflicted", reason=reason)
            case Ready(text):
                _write(live, receipt.path, text, disk, receipt.encoding)
    except ContentChanged as changed:
        return SettledFile(uri=uri, outcome="conflicted", reason=changed.message)
    except UserError as refused:
        return SettledFile(uri=uri, outcome="rejected", reason=refused.message)
    ledger.undone(uri)
    return SettledFile(uri=uri, outcome="applied")


def _read(live: LiveFiles, path: WorkspacePath) -> _OnDisk:
    if live.document(path) is not None:
        raise ContentChanged("the file is open in the editor, which alone may change it")
    data = live.folders.root(path).read_if_present(path.parts)
    if data is None:
        return _OnDisk(None, None, None)
    decoded = decode(data)
    if not isinstance(decoded, Text):
        raise ContentChanged("the file is no longer text")
    return _OnDisk(decoded.text, decoded.encoding, hash_of(data))


def _write(live: LiveFiles, path: WorkspacePath, text: str | None, disk: _OnDisk, encoding: Encoding) -> None:
    root, expected = live.folders.root(path), Holding(disk.content)
    if text is None:
        root.delete(path.parts, expected)
    else:
        root.write(path.parts, bytes_or_refusal(Text(text, encoding), path.parts), expected)
