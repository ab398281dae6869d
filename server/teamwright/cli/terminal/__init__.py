"""A run in the terminal: drawn as it goes, with a person who can be asked."""
