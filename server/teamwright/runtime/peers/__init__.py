"""Other processes on the same store."""
