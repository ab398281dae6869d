"""Who may do what to which path."""
