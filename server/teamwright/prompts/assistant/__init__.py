"""What the assistant is told: the sections of its system prompt, and everything that stands in its messages for it."""
