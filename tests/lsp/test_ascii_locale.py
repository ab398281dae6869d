"""A locale in which Python would name files in ASCII: folders with other letters are worked on all the same."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.lsp.raw_server import command, notification, raw_server, request
from tests.support.patience import PATIENCE_SECONDS

ASCII = {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def test_a_folder_with_letters_beyond_ascii_is_worked_on_in_an_ascii_locale(tmp_path: Path) -> None:
    folder = tmp_path / "Größe ☃"
    folder.mkdir()
    env = {**ASCII, "TEAMWRIGHT_STATE_DIR": str(tmp_path / "zustand ü")}
    with raw_server(tmp_path, env=env) as server:
        server.send(request(1, "initialize", {"capabilities": {}, "rootUri": folder.as_uri()}))
        server.send(notification("initialized", {}), command(2, "teamwright.chat", text="Wie groß?"))
        session = server.answer_to(2)["result"]["sessionId"]
        server.close_input()
        assert server.ended() == 0
        assert "Traceback" not in server.stderr()

    listed = subprocess.run(
        [sys.executable, "-m", "teamwright", "sessions", "list", "--json", "--workspace", str(folder)],
        env={**os.environ, **env},
        capture_output=True,
        timeout=PATIENCE_SECONDS,
        check=True,
    )
    (known,) = json.loads(listed.stdout)["sessions"]
    assert (known["sessionId"], known["title"]) == (session, "Wie groß?")
