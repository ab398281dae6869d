"""Files as the caller sees them: read, listed, searched, and for agents written."""
