"""A desk for every test."""

from pathlib import Path

import pytest

from tests.tools.bubblewrap import install_bubblewrap
from tests.tools.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture(scope="session")
def bubblewrap() -> None:
    install_bubblewrap()
