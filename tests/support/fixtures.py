"""The fixtures that every room's tests may use."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.bubblewrap import install_bubblewrap
from tests.support.model_server import ModelServer
from tests.support.programs.installation import Programs


@pytest.fixture
def models() -> Iterator[ModelServer]:
    """A model server of the test's own. It fails the test that asked for what the script does not foresee."""
    with ModelServer() as server:
        yield server
    server.check()


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Programs]:
    """A PATH on which only those command-line agents are found that the test installs."""
    home = tmp_path / "programs"
    home.mkdir()
    programs = Programs(home)
    monkeypatch.setenv("PATH", programs.path_variable)
    yield programs
    programs.check()


@pytest.fixture(scope="session", autouse=True)
def bubblewrap() -> None:
    """Commands can be shut in behind every door: the first test on a bare machine installs what that takes."""
    install_bubblewrap()
