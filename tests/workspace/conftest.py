from pathlib import Path

import pytest
from hypothesis import settings

from tests.workspace.desk import Desk

# How long one example takes says more about the machine than about the code.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)
