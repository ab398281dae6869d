"""What was damaged, lost or deleted: looked at, kept copies of, and brought back as far as it can be read."""
