"""A disk that is full: nothing acknowledged is lost, the error says what to do, and when there is room it goes on."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from teamwright.store.sqlite import DATABASE
from tests.store.conftest import OpenStore
from tests.store.facts import SES
from tests.support.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.asyncio

ROOT = Path(__file__).parents[2]


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
        "error": f"The disk that holds {directory / DATABASE} is full: free some space and try again.",
        "status": 507,
        "seen_when_full": 1 + acknowledged,
        "appended": 2 + acknowledged,
    }
    page = await (await open_store()).read_after(SES)
    assert [record.seq for record in page.records] == list(range(1, 3 + acknowledged))


async def test_a_disk_without_room_is_said_to_be_full(tmp_path: Path) -> None:
    """A real one, of a megabyte."""
    disk = tmp_path / "disk"
    disk.mkdir()
    code = (
        "import asyncio, sys; from pathlib import Path\n"
        "from teamwright.store.locks import Owner; from teamwright.store.sqlite import SqliteStore\n"
        "from tests.store.facts import SES, created; from tests.store.filling_writer import write_until_refused\n"
        "async def main():\n"
        "    store = await SqliteStore.open(Path(sys.argv[1]) / 'state', Owner.this_process('test'))\n"
        "    await store.append(SES, [created()])\n"
        "    print((await write_until_refused(store))[1].message)\n"
        "asyncio.run(main())\n"
    )
    shut_in = ["bwrap", "--dev-bind", "/", "/", "--size", str(1 << 20), "--tmpfs", str(disk)]
    writer = await asyncio.create_subprocess_exec(
        *shut_in, sys.executable, "-c", code, str(disk), stdout=asyncio.subprocess.PIPE, cwd=ROOT
    )
    stdout, _ = await asyncio.wait_for(writer.communicate(), PATIENCE_SECONDS)
    path = disk / "state" / DATABASE
    assert stdout.decode() == f"The disk that holds {path} is full: free some space and try again.\n"
