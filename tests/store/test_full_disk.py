"""A disk that is full: nothing acknowledged is lost, the error says what to do, and when there is room it goes on."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from teamwright.store.sqlite import DATABASE
from tests.store.conftest import OpenStore
from tests.store.facts import SES

pytestmark = pytest.mark.asyncio


async def test_a_full_disk_refuses_keeps_and_recovers(open_store: OpenStore, directory: Path) -> None:
    writer = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.store.filling_writer", str(directory), stdout=asyncio.subprocess.PIPE
    )
    stdout, _ = await asyncio.wait_for(writer.communicate(), 60)
    told = json.loads(stdout)

    acknowledged = told["acknowledged"]
    assert acknowledged > 10
    assert told == {
        "acknowledged": acknowledged,
        "error": f"{directory / DATABASE} could not be used (disk I/O error): "
        "check the disk's free space and health, try again.",
        "status": 507,
        "seen_when_full": 1 + acknowledged,
        "appended": 2 + acknowledged,
    }
    page = await (await open_store()).read_after(SES)
    assert [record.seq for record in page.records] == list(range(1, 3 + acknowledged))
