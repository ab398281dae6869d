"""An agent at work: its conversation, its tools, its loop."""
