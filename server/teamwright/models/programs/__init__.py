"""Models behind command-line programs that the user has installed and signed in to."""
