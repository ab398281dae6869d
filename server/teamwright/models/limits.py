"""How much of a provider, a program or its model is taken in. What goes beyond is refused with a sentence, early.

Honest answers stay far below: the longest that any model gives today is about half a million characters.
"""

from typing import Final

MAX_ANSWER_CHARACTERS: Final = 4_000_000
"""Text, reasoning and arguments of one answer together."""
MAX_ARGUMENTS_CHARACTERS: Final = 2_000_000
"""Of one call."""
MAX_CALLS: Final = 32
"""Carried out of one answer. Each further one is refused with a sentence, so that the model can make it again."""
MAX_CALLS_NAMED: Final = 128
"""Beyond this many calls it is no answer."""
MAX_NAME_CHARACTERS: Final = 256
"""Of a tool's name or a call's id, as the model gives it."""
MAX_LINE_BYTES: Final = 8_000_000
"""Of a stream, and of one event: some providers repeat the whole answer in the last one."""
MAX_BESIDE_BYTES: Final = 32_000_000
"""What the events of one answer hold besides its text: signatures, ids, repetitions."""
ORDINARY_EVENT_BYTES: Final = 2_000
"""An event with text in it is not counted for so much around it."""
MAX_OPENINGS: Final = 200_000
"""Objects and lists in one JSON text: reading it holds up everybody else."""
MAX_ERROR_BYTES: Final = 64_000
"""Of the body of an error; the rest is not read."""
MAX_BODY_BYTES: Final = 4_000_000
"""Of a body that is read whole, such as a list of models."""
MAX_TOKENS: Final = 1_000_000_000
"""What one call may say that it has used."""
MAX_COST_USD: Final = 10_000.0
"""What one call may say that it has cost."""
MAX_SCHEMA_PARTS: Final = 1_000
"""Of a tool's schema, with what its references stand for; the rest is not checked by us."""
MAX_SCHEMA_DEPTH: Final = 32
