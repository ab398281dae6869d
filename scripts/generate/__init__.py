"""Writes what follows from the types: the wire's schema, the clients' types, the tables of the protocol's document."""
