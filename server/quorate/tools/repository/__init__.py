"""The repository's history and what has changed, for reading only."""
