"""Several files at once: the strongest wins per key, and every value knows where it was written."""

from pathlib import Path

import pytest

from teamwright.config.discovery import Findings
from teamwright.config.load import Effective, load
from teamwright.config.problems import Problem, SourceSpan
from teamwright.config.sources import ConfigSource, ConfigSources, NamedFile, Role, find_sources, read_source, user_file

TEAM = "agents: [{id: %s, backend: {type: offline}}]\n"

UNTRUSTED = "not read, trust this workspace to use it; in a terminal: --trusted"


def in_force(**texts: str) -> Effective:
    roles: dict[str, Role] = {"explicit": "explicit", "workspace": "workspace", "user": "user"}
    sources = [ConfigSource(roles[role], f"{role}.yaml", text) for role, text in texts.items()]
    return load(sources, workspace=Path("/project"), find=Findings)


def test_the_strongest_file_wins_per_key_and_deep() -> None:
    effective = in_force(
        explicit="orchestrator: {voting_sensitivity: strict}",
        workspace="orchestrator: {voting_sensitivity: balanced, answer_novelty_requirement: balanced}",
        user="orchestrator: {answer_novelty_requirement: strict, skip_voting: true}\n" + TEAM % "mine",
    )
    assert effective.settings is not None
    orchestrator = effective.settings.orchestrator
    assert (orchestrator.voting_sensitivity, orchestrator.answer_novelty_requirement, orchestrator.skip_voting) == (
        "strict",
        "balanced",
        True,
    )
    assert [agent.id for agent in effective.settings.agents] == ["mine"]


def test_lists_and_backends_are_taken_whole() -> None:
    effective = in_force(
        workspace="orchestrator: {interactive_mode: {backend: {type: ollama, model: m}}}\n" + TEAM % "theirs",
        user="orchestrator: {interactive_mode: {backend: {type: openai, base_url: 'https://host/v1'}}}\n"
        + TEAM % "mine",
    )
    assert effective.settings is not None
    backend = effective.settings.orchestrator.interactive_mode.backend
    assert backend is not None
    assert (backend.type, backend.base_url) == ("ollama", None)
    assert [agent.id for agent in effective.settings.agents] == ["theirs"]


def test_a_section_that_is_null_takes_nothing_away() -> None:
    effective = in_force(workspace="orchestrator:\n", user="orchestrator: {skip_voting: true}")
    assert effective.settings is not None
    assert effective.settings.orchestrator.skip_voting


def test_every_value_knows_where_it_was_written() -> None:
    effective = in_force(
        workspace="orchestrator:\n  skip_voting: true\n" + TEAM % "theirs",
        user="orchestrator:\n  skip_voting: false\n  disable_injection: true\n",
    )
    assert effective.origin("orchestrator", "skip_voting") == SourceSpan("workspace.yaml", 2, 16, 2, 20)
    assert effective.origin("orchestrator", "disable_injection") == SourceSpan("user.yaml", 3, 22, 3, 26)
    assert effective.origin("agents", 0, "id") == SourceSpan("workspace.yaml", 3, 15, 3, 21)
    assert effective.origin("timeout_settings") is None
    assert effective.reason == "named in workspace.yaml"


def test_the_faults_of_all_files_are_told() -> None:
    effective = in_force(explicit="agents: 1", workspace="agents: 2", user="- x")
    assert effective.settings is None
    assert [str(fault) for fault in effective.faults] == [
        "explicit.yaml:1:9: agents: must be a list, not 1",
        "workspace.yaml:1:9: agents: must be a list, not 2",
        "user.yaml:1:1: (file): the file holds a list, it must be a mapping such as `agents: […]`",
    ]


def test_without_a_file_there_is_still_a_team() -> None:
    effective = in_force()
    assert effective.settings is not None
    assert [agent.id for agent in effective.settings.agents] == ["lint", "security", "structure"]
    assert effective.faults == effective.warnings == ()


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    path = tmp_path / "workspace"
    (path / ".teamwright").mkdir(parents=True)
    return path


def test_nothing_of_a_workspace_is_read_before_it_is_trusted(workspace: Path) -> None:
    (workspace / "teamwright.yaml").write_text(TEAM % "theirs", encoding="utf-8")
    sources = find_sources(folders=[workspace], trusted=False, environ={"TEAMWRIGHT_CONFIG": ""})
    assert [source.role for source in sources.found if source.role == "workspace"] == []
    assert [str(warning) for warning in sources.warnings] == [
        f"{workspace / 'teamwright.yaml'}:1:1: (file): {UNTRUSTED}"
    ]


def test_of_two_files_in_a_workspace_one_is_read_and_the_other_named(workspace: Path) -> None:
    for name in (".teamwright/config.yaml", "teamwright.yaml"):
        (workspace / name).write_text(TEAM % "theirs", encoding="utf-8")
    user, explicit = workspace.parent / "user.yaml", workspace.parent / "explicit.yaml"
    for path in (user, explicit):
        path.write_text(TEAM % "mine", encoding="utf-8")
    content = (TEAM % "theirs").encode()
    first = str(workspace / ".teamwright" / "config.yaml")
    assert find_sources(
        explicit=NamedFile(explicit), folders=[workspace], trusted=True, environ={"TEAMWRIGHT_CONFIG": str(user)}
    ) == ConfigSources(
        found=(
            ConfigSource("explicit", str(explicit), (TEAM % "mine").encode()),
            ConfigSource("workspace", first, content),
            ConfigSource("user", str(user), (TEAM % "mine").encode()),
        ),
        warnings=(
            Problem(
                SourceSpan(str(workspace / "teamwright.yaml")), "", f"not read, {first} stands before it, keep one"
            ),
        ),
    )


def test_the_users_file_is_named_by_a_variable_or_lies_in_the_platforms_place() -> None:
    assert user_file({"TEAMWRIGHT_CONFIG": "mine.yaml"}) == Path("mine.yaml")
    assert user_file({}).parts[-2:] == ("teamwright", "config.yaml")


def test_a_variable_that_names_no_file_is_told(tmp_path: Path) -> None:
    missing = tmp_path / "no.yaml"
    sources = find_sources(environ={"TEAMWRIGHT_CONFIG": str(missing)})
    assert [str(warning) for warning in sources.warnings] == [
        f"{missing}:1:1: (file): does not exist, correct TEAMWRIGHT_CONFIG"
    ]


@pytest.mark.parametrize("name", ["missing.yaml", "nul\0.yaml", "directory", "x" * 300])
def test_a_file_that_cannot_be_read_is_a_fault(tmp_path: Path, name: str) -> None:
    (tmp_path / "directory").mkdir()
    outcome = read_source(tmp_path / name)
    assert isinstance(outcome, Problem)
    assert outcome.message.startswith(("cannot be read (", "not a plain file"))


def test_no_more_of_a_file_is_read_than_is_needed_to_refuse_it(tmp_path: Path) -> None:
    path = tmp_path / "huge.yaml"
    with path.open("wb") as file:
        file.truncate(50_000_000)
    outcome = read_source(path)
    assert isinstance(outcome, ConfigSource)
    assert len(outcome.content) == 256 * 1024 + 1
