"""`teamwright sessions`: what was said here, listed, searched, copied, put away, taken elsewhere."""

import json
import os
import re

import pytest

from tests.cli.conftest import Cli, Outcome
from tests.cli.teams import write_team
from tests.support.model_server import ModelServer, text

CHAT = ("chat", "--config", "team.yaml")


def spoken(cli: Cli, models: ModelServer, words: str = "What is a quorum?") -> str:
    """The id of a session in which that was said."""
    models.model("alpha").replies(text("The least that may decide."))
    write_team(cli, models, "alpha")
    assert cli(*CHAT, stdin=f"{words}\n").code == 0
    return json.loads(cli("sessions", "list", "--json").out)["sessions"][0]["sessionId"]


def lines(outcome: Outcome) -> list[list[str]]:
    assert (outcome.code, outcome.err) == (0, "")
    return [re.split(r"\s{2,}", line.strip()) for line in outcome.out.splitlines()]


@pytest.mark.proves("A6", "A9")
def test_sessions_are_listed_shown_and_searched(cli: Cli, models: ModelServer) -> None:
    session = spoken(cli, models)
    time, words = r"\d{4}-\d\d-\d\d \d\d:\d\d", "The least that may decide."

    heading, row = lines(cli("sessions", "list"))
    assert heading == ["ID", "LAST USED", "TURNS", "RUNS", "COST", "PROJECT", "TITLE", "LAST MESSAGE"]
    assert [*row[:1], *row[2:]] == [session, "1", "0", "?", "-", "What is a quorum?", words]
    assert re.fullmatch(time, row[1])
    assert lines(cli("sessions", "search", "least dec"))[1:] == [[session, "7", words]]

    shown = cli("sessions", "show", session)
    paragraphs = shown.out.strip().split("\n\n")
    assert (shown.code, paragraphs[0], paragraphs[2:]) == (
        0,
        "# What is a quorum?",
        ["## You", "What is a quorum?", "## Assistant", words],
    )
    view = json.loads(cli("sessions", "show", session, "--json").out)
    assert [item["text"] for item in view["items"]] == ["What is a quorum?", words]
    hits = json.loads(cli("sessions", "search", "quorum", "--json").out)["hits"]
    assert [(hit["sessionId"], hit["snippet"]) for hit in hits] == [(session, "What is a quorum?")]


@pytest.mark.proves("A9")
def test_sessions_are_renamed_forked_deleted_and_restored(cli: Cli, models: ModelServer) -> None:
    session = spoken(cli, models)

    assert cli("sessions", "rename", session, "On quorums").out == f"{session} is now called “On quorums”.\n"
    fork = json.loads(cli("sessions", "fork", session, "--at", "1", "--json").out)["sessionId"]
    assert [row[6] for row in lines(cli("sessions", "list"))] == ["TITLE", "What is a quorum?", "On quorums"]
    assert json.loads(cli("sessions", "show", fork, "--json").out)["items"] == []
    deleted = cli("sessions", "delete", session)
    assert deleted == Outcome(
        0, f"“On quorums” is deleted; `teamwright sessions restore {session}` brings it back.\n", ""
    )
    gone = cli("sessions", "show", session)
    assert gone == Outcome(
        1, "", f"teamwright sessions: There is no session {session}; if it was deleted, restore it first.\n"
    )
    assert cli("sessions", "list", "--query", "on quorums") == Outcome(
        0, "", "There is no such session in this workspace.\n"
    )
    assert cli("sessions", "restore", session).out == "“On quorums” is back.\n"
    assert [row[6] for row in lines(cli("sessions", "list", "--query", "on quorums"))[1:]] == ["On quorums"]


@pytest.mark.proves("A9")
def test_a_session_moves_to_another_workspace_as_a_file(cli: Cli, models: ModelServer) -> None:
    session = spoken(cli, models, "Naïve 日本 text?")
    (cli.home / "elsewhere").mkdir()

    assert cli("sessions", "export", session, "--output", "it.json") == Outcome(0, "", "")
    taken = cli("sessions", "import", "it.json", "--workspace", "elsewhere", "--json")
    copy = json.loads(taken.out)["sessionId"]
    again = cli("sessions", "export", copy, "--workspace", "elsewhere").out
    assert again.replace(copy, session) == (cli.home / "it.json").read_text(encoding="utf-8")
    piped = cli("sessions", "import", "-", "--workspace", "elsewhere", stdin=again)
    assert re.fullmatch(r"It is now the session ses_\w+\.\n", piped.out)
    markdown = cli("sessions", "export", session, "--format", "markdown").out
    assert "## You\n\nNaïve 日本 text?\n\n## Assistant\n\nThe least that may decide.\n" in markdown


@pytest.mark.proves("A9")
def test_what_cannot_be_done_is_said_in_one_sentence(cli: Cli) -> None:
    (cli.home / "broken.json").write_text("{", encoding="utf-8")
    (cli.home / "teamwright.yaml").write_text("agents: nobody\n", encoding="utf-8")

    assert cli("sessions", "list") == Outcome(
        0, "", "There are no sessions in this workspace yet; `teamwright chat` starts one.\n"
    )
    refusals = {
        ("rename", "ses_1", "x"): (1, "There is no session ses_1; if it was deleted, restore it first."),
        ("restore", "ses_1"): (1, "There is no session ses_1 to restore; it may have been removed for good."),
        ("import", "broken.json"): (2, "text: this is not an exported session: it is not JSON"),
        ("import", "missing.json"): (2, "missing.json cannot be read (No such file or directory)"),
        ("list", "--limit", "0"): (2, "limit: must be at least 1"),
        ("list", "--workspace", "nowhere"): (2, "--workspace nowhere is not a directory"),
        ("list", "--before", "once"): (2, "before: must be a session's id or a time"),
    }
    for arguments, (code, words) in refusals.items():
        outcome = cli("sessions", *arguments)
        assert (outcome.code, outcome.out) == (code, "")
        assert outcome.err.startswith(f"teamwright sessions: {words}")
        assert outcome.err.count("\n") == 1
    unfinished = cli("sessions")
    assert (unfinished.code, "ACTION" in unfinished.err) == (2, True)


def test_an_export_warns_of_what_looks_like_a_key_and_can_leave_it_out(cli: Cli, models: ModelServer) -> None:
    token = "ghp_" + "a1B2" * 9
    session = spoken(cli, models, f"What is {token}?")

    warned = cli("sessions", "export", session, "--output", "it.json")
    assert warned.code == 0
    assert "what looks like a token of GitHub" in warned.err
    assert "`--mask` leaves it out" in warned.err
    written = cli.home / "it.json"
    assert token in written.read_text(encoding="utf-8")
    if os.name == "posix":
        assert written.stat().st_mode & 0o777 == 0o600

    masked = cli("sessions", "export", session, "--mask")
    assert (masked.code, masked.err, token in masked.out) == (0, "", False)
    assert cli("sessions", "import", "-", stdin=masked.out).code == 0
