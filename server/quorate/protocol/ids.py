"""Names of things. The prefix says what a bare id in a log belongs to; minting them is the runtime's business."""

from typing import Literal, NewType

SessionId = NewType("SessionId", str)
TurnId = NewType("TurnId", str)
ItemId = NewType("ItemId", str)
RunId = NewType("RunId", str)
AnswerId = NewType("AnswerId", str)
DecisionId = NewType("DecisionId", str)
FindingId = NewType("FindingId", str)

# Agents are named by the user's configuration, so their ids carry no prefix.
AgentId = NewType("AgentId", str)

IdPrefix = Literal["ses", "turn", "item", "run", "ans", "dec", "find"]
