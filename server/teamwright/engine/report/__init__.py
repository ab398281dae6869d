"""Typed parts as documents that can be handed on: pages that stand by themselves, and Markdown."""
