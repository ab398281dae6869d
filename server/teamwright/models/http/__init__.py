"""Providers behind HTTP. These modules import the SDKs, so everybody else loads them in a thread when needed."""
