"""What the server does for an editor besides our commands: one file a concern, registered in `registry`."""
