"""Read-only facts of the repository."""
