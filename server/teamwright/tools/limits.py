"""How much of an MCP server is taken in. What goes beyond is refused with a sentence, while it arrives."""

from typing import Final

MAX_MESSAGE_BYTES: Final = 4_000_000
"""One message of a server: a result, or a page of its list of tools."""
MAX_RESULT_CHARACTERS: Final = 32_000
"""What a model is shown of a result: its beginning and its end."""
MAX_TOOLS: Final = 128
"""Of one server."""
MAX_NAME_CHARACTERS: Final = 128
MAX_DESCRIPTION_CHARACTERS: Final = 1_000
MAX_SCHEMA_CHARACTERS: Final = 32_000
"""As JSON."""
MAX_SCHEMA_DEPTH: Final = 32
MAX_ALL_SCHEMAS_CHARACTERS: Final = 256_000
"""Every request to a model carries them."""
MAX_PAGES: Final = 20
"""Of a list of tools."""
