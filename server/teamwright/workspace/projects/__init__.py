"""The directories of projects, and what the server writes in them."""
