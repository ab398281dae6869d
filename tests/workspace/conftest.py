"""A workspace on disk for each test."""

from pathlib import Path

import pytest

from tests.workspace.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)
