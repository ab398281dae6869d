"""Settings from YAML with positions, in layers, and the discovery of a default team."""
