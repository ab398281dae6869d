"""What the wire calls things besides its commands. Nothing heavy is loaded for it."""

CODE_ACTION_KINDS = (
    "quickfix",
    "refactor.teamwright.review",
    "refactor.teamwright.explain",
    "refactor.teamwright.fix",
    "refactor.teamwright.test",
)

EVENT_METHOD = "teamwright/event"
PROTOCOL_VERSION = 1
