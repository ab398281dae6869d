"""The wire: frames and messages in and out, bounded and in order, and the one way out."""
