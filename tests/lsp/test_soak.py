"""A server that works for days keeps nothing of runs that are over but what is on the disk."""

import pytest

from tests.bench.run_soak import growth


@pytest.mark.slow
@pytest.mark.asyncio
async def test_memory_does_not_grow_with_the_runs_that_are_over() -> None:
    assert await growth(1_000) <= 10
