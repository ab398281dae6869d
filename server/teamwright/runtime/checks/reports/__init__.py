"""What commands print and write about their results, read. Pure: one file a family of tools."""
