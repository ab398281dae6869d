"""What can be learned from runs that are over. Nothing here asks a model: it all stands in the log."""
