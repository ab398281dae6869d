"""Agents without a language model: real analysers behind the same port, and plain about what they are."""
