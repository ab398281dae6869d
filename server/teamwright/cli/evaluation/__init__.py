"""A rating of one's own: tasks with seeded faults, done by one agent and by the team, and what came of it."""
