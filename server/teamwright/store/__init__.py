"""The port to durable events, and its adapter."""
