"""`teamwright init`."""

from pathlib import Path

from tests.cli.conftest import Cli


def test_the_starter_is_written_and_has_neither_faults_nor_warnings(cli: Cli, home: Path) -> None:
    assert cli("init").code == 0
    assert (home / "teamwright.yaml").is_file()

    checked = cli("check", "teamwright.yaml")
    assert (checked.code, checked.out.splitlines()[:2]) == (
        0,
        [
            "teamwright.yaml: no faults",
            (
                "Team: no key, no program and no model server was found: the offline team answers "
                "(rule-based analysers, no language model)"
            ),
        ],
    )


def test_every_line_of_the_starter_that_is_commented_out_would_load_too(cli: Cli, home: Path) -> None:
    cli("init")
    starter = (home / "teamwright.yaml").read_text(encoding="utf-8")
    (home / "all.yaml").write_text(_with_settings_uncommented(starter), encoding="utf-8")

    checked = cli("check", "all.yaml")
    assert checked.code == 0, checked.out
    assert "weather" not in checked.out.partition("Team:")[2]
    assert "unknown key" not in checked.out
    assert [line.split()[0] for line in checked.out.splitlines() if line.startswith("  ")] == [
        "claude",
        "gpt",
        "local",
        "assistant",
    ]


def _with_settings_uncommented(text: str) -> str:
    """Comments that are settings begin with a key, a list or a nested setting; prose begins with a capital letter."""
    lines: list[str] = []
    for line in text.splitlines():
        indent, marker, comment = line.partition("# ")
        is_setting = marker and not indent.strip() and not comment[:1].isupper() and ":" in comment
        lines.append(indent + comment if is_setting and "teamwright check" not in comment else line)
    return "\n".join(lines)


def test_an_existing_file_is_never_overwritten_unasked(cli: Cli, home: Path) -> None:
    target = home / "mine.yaml"
    target.write_text("agents: mine\n", encoding="utf-8")

    refused = cli("init", "mine.yaml")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.strip() == "mine.yaml exists already; use --force to overwrite it, or name another path."
    assert target.read_text(encoding="utf-8") == "agents: mine\n"

    assert cli("init", "mine.yaml", "--force").code == 0
    assert target.read_text(encoding="utf-8").startswith("# Teamwright's configuration.")


def test_a_directory_gets_the_usual_name(cli: Cli, home: Path) -> None:
    (home / "project").mkdir()
    assert cli("init", "project").code == 0
    assert (home / "project" / "teamwright.yaml").is_file()


def test_a_path_that_cannot_be_written_is_named(cli: Cli) -> None:
    outcome = cli("init", "no/such/place.yaml")
    assert outcome.code == 2
    assert "cannot be written" in outcome.err
    assert "Traceback" not in outcome.err
