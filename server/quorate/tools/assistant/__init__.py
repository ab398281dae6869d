"""What the assistant can do besides reading: launch runs and look at them, ask the user, keep the project current."""
