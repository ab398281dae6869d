"""What the code actions of an editor ask of the team, and what reviews find."""
