"""Providers behind HTTP. These modules import the SDKs, so the rest of the house loads them in a thread when needed."""
