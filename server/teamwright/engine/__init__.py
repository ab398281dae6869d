"""A run as a pure machine: reduce its facts to a state, decide what the state wants, view what clients draw."""
