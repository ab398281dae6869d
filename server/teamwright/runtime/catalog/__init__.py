"""Sessions as things: listed, searched, renamed, copied, put away and taken out again."""
