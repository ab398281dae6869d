"""A member of a run at work."""
