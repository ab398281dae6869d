"""A program of its own beside the server: it builds the tree of one command, has the command run in it, and watches it.

The standard library alone is loaded here: starting must cost milliseconds.
"""
