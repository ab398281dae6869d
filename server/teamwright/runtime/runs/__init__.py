"""A run under way: what its state wants is started, what it no longer wants is stopped, what happens becomes a fact."""
