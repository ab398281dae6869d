"""What the server does besides commands: each feature registers the methods that it handles.

A feature is a function `register(methods, desk)`: `methods.on_request` and `methods.on_notification` take its handlers,
`desk.peer` is the client it asks and tells, `desk.client.follow` lets it hear of events.
"""

from collections.abc import Callable
from typing import Final

from quorate.lsp.features import (
    config_support,
    findings,
    plain_decisions,
    plain_results,
    progress,
    text_sync,
    trust,
    workspace_folders,
)
from quorate.lsp.handlers.desk import Desk
from quorate.lsp.transport.methods import Methods

Feature = Callable[[Methods, Desk], None]

FEATURES: Final[tuple[Feature, ...]] = (
    text_sync.register,
    workspace_folders.register,
    progress.register,
    plain_decisions.register,
    plain_results.register,
    trust.register,
    findings.register,
    config_support.register,
)


def all_methods(desk: Desk) -> Methods:
    methods = Methods()
    for register in FEATURES:
        register(methods, desk)
    return methods
