"""What models are told: the sections of every system prompt, and the messages agents are shown."""
