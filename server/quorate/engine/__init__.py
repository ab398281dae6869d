"""A run as a pure machine: reduce, decide, view."""
