"""The asynchronous part: supervisor, sessions, turns, runs, agents, decisions, bus."""
