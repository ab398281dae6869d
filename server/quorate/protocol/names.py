"""The names of the commands, apart from their types: the server announces them before it has loaded anything heavy."""

COMMAND_NAMES = (
    "quorate.chat",
    "quorate.launch_run",
    "quorate.approve",
    "quorate.respond",
    "quorate.override",
    "quorate.steer",
    "quorate.cancel",
    "quorate.modes",
    "quorate.session.list",
    "quorate.session.open",
    "quorate.session.close",
    "quorate.session.search",
    "quorate.session.fork",
    "quorate.session.rename",
    "quorate.session.delete",
    "quorate.session.restore",
    "quorate.session.compact",
    "quorate.session.stats",
    "quorate.session.export",
    "quorate.session.import",
    "quorate.run.list",
    "quorate.run.open",
    "quorate.project.list",
    "quorate.project.create",
    "quorate.project.select",
    "quorate.project.open",
    "quorate.changes.open",
    "quorate.changes.apply",
    "quorate.changes.discard",
    "quorate.changes.undo",
    "quorate.review",
    "quorate.explain",
    "quorate.fix",
    "quorate.test",
    "quorate.finding.dismiss",
    "quorate.status",
)

# Kept for later: a client is told so with 501 instead of guessing.
RESERVED_COMMAND_NAMES = ("quorate.run.analyze", "quorate.run.resume", "quorate.session.configure")

CODE_ACTION_KINDS = (
    "quickfix",
    "refactor.quorate.review",
    "refactor.quorate.explain",
    "refactor.quorate.fix",
    "refactor.quorate.test",
)

EVENT_METHOD = "quorate/event"
PROTOCOL_VERSION = 1
