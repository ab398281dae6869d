"""A deleted session can be brought back, for a while."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from teamwright.protocol.ids import SessionId
from teamwright.store.directories import workspace_directory
from teamwright.store.locks import Owner
from teamwright.store.sqlite import SqliteStore
from tests.store.facts import created
from tests.support.doors import Serve, team_config
from tests.support.lsp_client import LspError
from tests.support.model_server import ModelServer


async def deleted_days_ago(state: Path, workspace: Path, **sessions: int) -> None:
    store = await SqliteStore.open(workspace_directory(state, [workspace]), Owner.this_process("a test"))
    for name, days in sessions.items():
        session_id = SessionId(name)
        await store.append(session_id, [created(session_id)])
        await store.delete(session_id, datetime.now(UTC) - timedelta(days=days))
    await store.close()


@pytest.mark.asyncio
@pytest.mark.proves("A9")
async def test_what_was_deleted_over_a_month_ago_is_gone_for_good(
    serve: Serve, models: ModelServer, tmp_path: Path, workspace: Path
) -> None:
    await deleted_days_ago(tmp_path / "state", workspace, ses_long_ago=31, ses_lately=29)
    client = await serve(config=team_config(models, "alpha"))

    restored = await client.command("teamwright.session.restore", sessionId="ses_lately")
    assert restored["sessionId"] == "ses_lately"
    with pytest.raises(LspError) as refused:
        await client.command("teamwright.session.restore", sessionId="ses_long_ago")
    assert refused.value.code == 404
