"""Teamwright: a team of AI agents inside the editor. The one place of the version; importing it loads nothing."""

__version__ = "0.1.0"
