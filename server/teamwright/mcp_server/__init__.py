"""The team as an MCP server."""
