"""The providers' own clients, pointed at the scripted server."""

from collections.abc import AsyncIterator

import pytest_asyncio
from anthropic import AsyncAnthropic
from openai import AsyncOpenAI

from tests.support.model_server import ModelServer


@pytest_asyncio.fixture
async def openai(models: ModelServer) -> AsyncIterator[AsyncOpenAI]:
    async with AsyncOpenAI(base_url=models.openai_url, api_key="sk-scripted-openai", max_retries=0) as client:
        yield client


@pytest_asyncio.fixture
async def anthropic(models: ModelServer) -> AsyncIterator[AsyncAnthropic]:
    async with AsyncAnthropic(base_url=models.url, api_key="sk-scripted-anthropic", max_retries=0) as client:
        yield client
