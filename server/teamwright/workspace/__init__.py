"""The user's files as the editor shows them, scratch copies and change sets."""
