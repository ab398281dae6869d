"""A run: its state, what it wants next, and what clients draw of it."""
