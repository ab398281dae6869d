"""How much of a conversation a model can be sent. Pure. In characters: tokens are only ever estimated from them."""

from dataclasses import dataclass
from typing import Final

from quorate.models.estimate import FIRST_CHARACTERS_PER_TOKEN
from quorate.prompts.assistant.system_prompt import LONGEST_GIVEN_TEXT

_MOST_OUTPUT_TOKENS: Final = 16_000
# Estimates are off by some percent; the rest is the provider's own wrapping.
_SAFE_SHARE: Final = 0.93
# Where even the prompt hardly fits, the last messages are sent all the same, and the provider has the last word.
_LEAST: Final = 4_000
# For what is said last in each request: the date, the costs.
_FACTS: Final = 2_000
_GIVEN_SHARE: Final = 0.08
_LEAST_GIVEN: Final = 1_500
# The estimate learns with every call. What was decided on a slightly other one is better left as it is.
_SAME_ROOM: Final = (0.9, 1.25)


@dataclass(frozen=True, slots=True)
class Room:
    whole: int

    @property
    def tight(self) -> int:
        """Above this, old output goes; where there is none worth it, a summary is due."""
        return self.whole * 3 // 4

    @property
    def comfortable(self) -> int:
        """Down to this, so that it is long before the next time."""
        return self.whole // 2

    @property
    def worthwhile(self) -> int:
        """Less than this is not worth the provider's cache."""
        return self.whole // 8

    @property
    def brimful(self) -> int:
        """Above this, output of the turns that are still recent goes, too."""
        return self.whole * 9 // 10

    def is_about(self, other: "Room") -> bool:
        low, high = _SAME_ROOM
        return low * self.whole <= other.whole <= high * self.whole


def room_for(*, window: int, characters_per_token: float, prompt_characters: int) -> Room:
    """What a window leaves after the prompt with its tools, and the answer."""
    tokens = (window - output_tokens(window)) * _SAFE_SHARE
    return Room(max(_LEAST, int(tokens * characters_per_token) - prompt_characters - _FACTS))


def output_tokens(window: int) -> int:
    return min(_MOST_OUTPUT_TOKENS, window // 4)


def longest_given_text(window: int) -> int:
    """How much of each of the files that are quoted in the prompt; models with small windows are shown less.

    By the window alone, which does not change from call to call as the estimate does.
    """
    return min(LONGEST_GIVEN_TEXT, max(_LEAST_GIVEN, int(window * FIRST_CHARACTERS_PER_TOKEN * _GIVEN_SHARE)))
