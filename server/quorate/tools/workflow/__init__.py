"""How an agent takes part in its run: it answers, votes, plans, reports and asks."""
