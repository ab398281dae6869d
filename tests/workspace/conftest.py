"""A workspace on disk for each test, and boxes for commands in it."""

from pathlib import Path

import pytest

from teamwright.workspace.copies import sandbox
from teamwright.workspace.copies.availability import Available, Means
from tests.workspace.boxes import Box
from tests.workspace.desk import Desk

MEANS: tuple[Means, ...] = ("overlay", "overlay on disk", "copy")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture
def box(desk: Desk) -> Box:
    return Box(desk)


@pytest.fixture(params=MEANS)
def any_box(desk: Desk, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Box:
    """By each of the ways in which a copy can be made."""

    def found(_sandbox: object) -> Available:
        return Available(request.param)

    monkeypatch.setattr(sandbox, "availability", found)
    return Box(desk)
