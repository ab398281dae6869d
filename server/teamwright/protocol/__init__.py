"""The wire: ids, items, events, commands, views and errors. Types only."""
