"""How long a test waits for what must come: only a test that fails waits that long, so it outlasts a busy machine."""

PATIENCE_SECONDS = 120.0
