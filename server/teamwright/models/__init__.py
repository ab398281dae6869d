"""The port to a model, and its adapters."""
