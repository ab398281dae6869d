"""A workspace with an editor on it, and a user's own folder."""

from pathlib import Path

import pytest

from tests.context.place import Place


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)
