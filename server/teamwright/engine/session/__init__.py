"""A session: turns and their queue, open decisions, interrupted work, budget, modes, title, idling. Pure."""
