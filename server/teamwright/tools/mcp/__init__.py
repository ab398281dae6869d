"""Tools of MCP servers that the configuration names."""
