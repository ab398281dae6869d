"""Commands that agents run, in a sandbox."""
