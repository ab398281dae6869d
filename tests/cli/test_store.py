"""`teamwright store`: whether what is kept is whole, and what can be brought back."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.cli.test_sessions import spoken
from tests.store.damage import break_search_index, overwrite
from tests.support.model_server import ModelServer

pytestmark = pytest.mark.proves("A6")


def database(cli: Cli) -> Path:
    (found,) = cli.home.rglob("sessions.db")
    return found


def test_a_history_that_is_whole_is_said_to_be(cli: Cli, models: ModelServer) -> None:
    nothing = cli("store", "check")
    assert (nothing.code, nothing.out.split(" at ")[0]) == (0, "There is no history")
    spoken(cli, models)

    checked = cli("store", "check")
    assert checked.code == 0
    assert checked.out.splitlines()[0].startswith(f"{database(cli)}: 1 session with ")
    assert checked.out.splitlines()[1] == "Everything is as it was written."
    recovered = cli("store", "recover")
    assert (recovered.code, recovered.out) == (0, f"{database(cli)} is whole; there is nothing to recover.\n")


def test_a_broken_index_is_found_and_made_anew(cli: Cli, models: ModelServer) -> None:
    session = spoken(cli, models)
    break_search_index(database(cli))

    checked = cli("store", "check")
    assert (checked.code, checked.out.splitlines()[1]) == (1, "The index that texts are found by is broken.")
    assert "made anew" in cli("store", "recover").out
    assert cli("store", "check").code == 0
    assert session in cli("sessions", "search", "quorum").out


def test_what_is_altered_is_found_and_the_rest_is_brought_back(cli: Cli, models: ModelServer) -> None:
    session = spoken(cli, models)
    with closing(sqlite3.connect(database(cli))) as vandal, vandal:
        vandal.execute(
            "UPDATE events SET body = replace(body, 'least', 'beast') WHERE body LIKE '%item.finished%least%'"
        )

    checked = cli("store", "check")
    lost = "1 record of “What is a quorum?” cannot be read."
    way_out = "`teamwright store recover` brings back what can be read."
    assert (checked.code, checked.out.splitlines()[1:]) == (1, [lost, way_out])
    recovered = cli("store", "recover")
    (aside,) = database(cli).parent.glob("sessions.damaged-*.db")
    assert recovered.code == 0
    assert aside.name in recovered.out
    assert "lost: 1 record of “What is a quorum?”" in recovered.out
    view = json.loads(cli("sessions", "show", session, "--json").out)
    assert [item["text"] for item in view["items"]] == ["What is a quorum?", ""]


def test_a_file_that_was_set_aside_is_taken_in_again(cli: Cli, models: ModelServer) -> None:
    session = spoken(cli, models)
    path = database(cli)
    aside = path.rename(path.with_name("kept.db"))
    overwrite(aside, 1, 100)
    assert "is missing and a new history was begun" in cli("sessions", "list").err

    taken = cli("store", "recover", aside)
    assert (taken.code, taken.out.split(" with ")[0]) == (0, "kept.db: 1 session")
    assert session in cli("sessions", "list").out
    missing = cli("store", "recover", "nowhere.db")
    assert (missing.code, missing.err.split(":")[1]) == (1, " There is no file nowhere.db")
