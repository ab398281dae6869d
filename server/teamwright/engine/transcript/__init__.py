"""What clients draw of a session and of a run: entries with stable ids, and the patches between two states. Pure."""
