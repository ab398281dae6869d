"""What the subcommands on what has happened here do: sessions, runs and the team in all of them."""
