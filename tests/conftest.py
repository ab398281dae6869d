"""The doors, the scripted models and the table of proven capabilities, for every test."""

from hypothesis import settings

pytest_plugins = [
    "tests.support.fixtures",
    "tests.support.doors",
    "tests.support.neovim.door",
    "tests.support.capabilities",
    "tests.support.scheduling",
]

# How long one example takes says more about the machine than about the code; a failure says how to play it again.
settings.register_profile("teamwright", deadline=None, print_blob=True)
settings.load_profile("teamwright")
