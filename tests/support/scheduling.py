"""Which tests stay together on one worker: those that share what takes long to start, and so they begin first."""

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

_TOGETHER = ("tests/vscode/", "tests/lsp/test_run.py", "tests/packaging/test_distributions.py")


class StayingTogether(LoadScopeScheduling):
    def _split_scope(self, nodeid: str) -> str:
        return next((place for place in _TOGETHER if nodeid.startswith(place)), nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> StayingTogether:
    return StayingTogether(config, log)
