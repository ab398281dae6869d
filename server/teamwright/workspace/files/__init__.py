"""The user's files as the editor shows them."""
