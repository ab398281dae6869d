"""What agents have written and nobody has agreed to yet."""
