"""The fixtures that every room's tests may use."""

from collections.abc import Iterator

import pytest
from tests.support.model_server import ModelServer


@pytest.fixture
def models() -> Iterator[ModelServer]:
    """A model server of the test's own. It fails the test that asked for what the script does not foresee."""
    with ModelServer() as server:
        yield server
    server.check()
