"""How contents are told apart."""

import hashlib
from typing import NewType

ContentHash = NewType("ContentHash", str)


def hash_of(data: bytes) -> ContentHash:
    return ContentHash(hashlib.sha256(data).hexdigest())
