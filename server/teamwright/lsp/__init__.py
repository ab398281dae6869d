"""The language server: pygls at the edge, one file a concern."""
