"""What the assistant's model is sent: the context of a session, rebuilt from its log for every call."""
