"""Sessions at work: their turns, decisions and what they spend."""
