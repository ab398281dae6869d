"""The doors, the scripted models and the table of proven capabilities, for every test."""

pytest_plugins = ["tests.support.fixtures", "tests.support.doors", "tests.support.capabilities"]
