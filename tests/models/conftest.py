"""The owner of models under test."""

import os
from collections.abc import AsyncGenerator

import pytest_asyncio

from teamwright.models.factory import Models
from teamwright.models.model import RetryPolicy
from tests.models.asking import KEY, KEY_VARIABLE
from tests.support.programs.installation import Programs


@pytest_asyncio.fixture
async def providers() -> AsyncGenerator[Models]:
    """Retries without a wait between them."""
    environ = {**os.environ, KEY_VARIABLE: KEY}
    async with Models(environ, retry=RetryPolicy(attempts=3, first=0.0)) as models:
        yield models


@pytest_asyncio.fixture
async def program_house(programs: Programs) -> AsyncGenerator[Models]:
    """On the PATH of the fake programs, where a fault is not tried again."""
    environ = {**os.environ, "OPENAI_API_KEY": "sk-openai", "ANTHROPIC_API_KEY": "sk-ant", "CLAUDECODE": "1"}
    async with Models(environ, retry=RetryPolicy(attempts=1)) as models:
        yield models
