"""What commands do: one file a concern."""
