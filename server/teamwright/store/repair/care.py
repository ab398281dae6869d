"""A history that nobody need have open: how it stands, and what can be brought back."""

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from teamwright.store.errors import StoreError
from teamwright.store.locks import Owner
from teamwright.store.opening import Condition, condition_of, open_database, recover_database
from teamwright.store.repair.copies import DatabaseCopies
from teamwright.store.repair.inspection import Inspection, faults_in, index_fault, inspect
from teamwright.store.repair.salvage import Salvage
from teamwright.store.schema import connect
from teamwright.store.search_index import REBUILT, mend_index


@dataclass(frozen=True, slots=True)
class HistoryReport:
    path: Path
    condition: Condition
    # Of one that can be opened.
    inspection: Inspection | None
    # In sentences.
    faults: tuple[str, ...]
    # The newest first.
    copies: tuple[Path, ...]


def examine(path: Path) -> HistoryReport:
    """Nothing is changed by it. Raises sqlite3.Error and OSError where it cannot be looked at just now."""
    condition = condition_of(path)
    copies = tuple(DatabaseCopies(path).newest_first())
    if condition != "ours":
        return HistoryReport(path, condition, None, _faults_of(condition), copies)
    with closing(connect(path)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        found = inspect(connection)
        faults = [*faults_in(found), *filter(None, [index_fault(connection)])]
        connection.execute("ROLLBACK")
    return HistoryReport(path, condition, found, tuple(faults), copies)


def _faults_of(condition: Condition) -> tuple[str, ...]:
    match condition:
        case "damaged":
            return ("It cannot be opened.",)
        case "foreign":
            return ("It is not a history of Teamwright.",)
        case "newer":
            return ("It is of a newer version of Teamwright.",)
        case _:
            return ()


def recover(path: Path, owner: Owner) -> str:
    """Brings back what can be read, and tells what came of it. Raises StoreError, sqlite3.Error and OSError."""
    report = examine(path)
    if report.inspection is None:
        opened = open_database(path, owner)
        opened.connection.close()
        return opened.notice or f"{path} is a new history; there was nothing to recover."
    if not report.faults:
        return f"{path} is whole; there is nothing to recover."
    if report.inspection.is_whole:
        opened = open_database(path, owner)
        with closing(opened.connection):
            if opened.notice is None:
                mend_index(opened.connection)
        return opened.notice or REBUILT
    return recover_database(path, owner)


def take_in(path: Path, source: Path, owner: Owner) -> str:
    """What another file of ours holds, be it damaged or a copy, goes into this history. What is here stays."""
    if not source.is_file():
        raise StoreError(f"There is no file {source}: name one that was kept beside {path}.")
    with closing(open_database(path, owner).connection) as connection:
        salvage = Salvage(connection)
        connection.execute("BEGIN IMMEDIATE")
        salvage.take_file(source)
        told = salvage.finish()
        connection.execute("COMMIT")
    return f"{source.name}: {str(told)[0].lower()}{str(told)[1:]}"
