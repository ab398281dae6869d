"""Evidence: what an answer changes, the project's checks that were run on it, and what came of them."""

from typing import Annotated, Literal

from pydantic import Field

from teamwright.protocol.base import Maybe, Wire, Words
from teamwright.protocol.ids import AnswerId

# Where a check comes from: the user's own configuration, a file of the workspace, what the project looks like, or a
# finding that proves itself. Only the first runs unasked.
CheckSource = Literal["user", "workspace", "discovered", "reproduction"]
CheckOutcome = Literal["passed", "failed", "timed_out", "error"]
ChecksPolicy = Literal["prefer", "require", "inform"]
# Of an answer, against the workspace without it: all checks pass, nothing that passed fails, something does.
CheckStanding = Literal["green", "no_worse", "broke"]


class CheckFile(Wire):
    """As tools name paths."""

    path: str = Field(min_length=1)
    content: str


class CheckDefinition(Wire):
    """A command of the project that says whether it still works. No shell: the words as they are."""

    name: str = Field(min_length=1)
    argv: tuple[str, ...] = Field(min_length=1)
    # As tools name paths; without one the first folder.
    cwd: Maybe[str] = None
    timeout_seconds: Annotated[float, Field(gt=0)] = 600
    # Globs: it is run only for candidates that touch one of them.
    paths: Maybe[tuple[str, ...]] = None
    # A JUnit XML or SARIF file that the command writes.
    report: Maybe[str] = None
    # Closed files that it may read.
    needs: Maybe[tuple[str, ...]] = None
    # Put into the copy that it is run in, over all else; they are no part of any candidate.
    files: Maybe[tuple[CheckFile, ...]] = None
    source: CheckSource


class ProposedCheck(Wire):
    """A check on the card that asks for a run's approval. One that is not ticked does not run."""

    name: str
    argv: tuple[str, ...]
    cwd: Maybe[str] = None
    source: CheckSource
    ticked: bool


class OfAnswer(Wire):
    answer_id: AnswerId


# What was checked: an answer's candidate, the workspace without any, or what is to be applied.
CheckSubject = OfAnswer | Literal["base", "final"]


class Candidate(Wire):
    """What an answer changes in the user's files. `change_set_id` is a hash of every path with its bytes."""

    change_set_id: str
    # As tools name them.
    files: tuple[str, ...]
    # Lines.
    added: int
    removed: int
    # It touches tests, or what the checks go by.
    changes_own_checks: Maybe[bool] = None


class CheckCounts(Wire):
    passed: int = 0
    failed: int = 0
    skipped: int = 0


class CheckFailure(Wire):
    name: str
    # As tools name paths.
    path: Maybe[str] = None
    uri: Maybe[str] = None
    line: Maybe[int] = None
    message: str = ""


class CheckProblem(Wire):
    """A failing place of a check; `source` says in words of which one, and on whose changes."""

    check: str
    source: Words
    failure: CheckFailure


class CheckView(Wire):
    """A check of an answer, of the base or of the final change set, as it stands."""

    name: str
    outcome: CheckOutcome | Literal["running"]
    tests: Maybe[CheckCounts] = None
    # How much of what the workspace passes without the candidate fails with it; not there before they are compared.
    broke: Maybe[int] = None


class RunChecks(Wire):
    base: tuple[CheckView, ...] = ()
    final: tuple[CheckView, ...] = ()
