"""Which tests come first, and which stay together on one worker because they share what takes long to start.

Quick suites come first, so that a mistake shows early; then those that go through the doors, real editors among them.
What stays together is begun before the rest of the doors, beside which it then runs.
"""

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

_ORDER = (
    *("engine", "protocol", "config", "permissions", "prompts", "test_support"),
    *("store", "workspace", "tools", "models", "context", "runtime", "application"),
    *("vscode", "packaging", "lsp", "cli", "neovim"),
)
_TOGETHER = ("tests/vscode/", "tests/lsp/test_run.py", "tests/packaging/test_distributions.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: _rank(item.nodeid))


class StayingTogether(LoadScopeScheduling):
    def _split_scope(self, nodeid: str) -> str:
        return next((place for place in _TOGETHER if nodeid.startswith(place)), nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> StayingTogether:
    # By itself it would begin with whatever has the most tests.
    config.option.loadscopereorder = False
    return StayingTogether(config, log)


def _rank(nodeid: str) -> int:
    suite = nodeid.split("/")[1] if nodeid.startswith("tests/") else ""
    return _ORDER.index(suite) if suite in _ORDER else len(_ORDER)
