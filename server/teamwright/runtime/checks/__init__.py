"""The project's checks: found, allowed, run on an answer, read, and compared with the base."""
