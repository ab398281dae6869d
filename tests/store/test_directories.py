"""Where history lives."""

from pathlib import Path

import pytest
from platformdirs import user_state_path

from teamwright.store.directories import state_directories, workspace_directory


def test_the_environment_wins_then_the_client_then_the_platform(tmp_path: Path) -> None:
    named, given = tmp_path / "named", tmp_path / "given"

    assert state_directories(given, {"TEAMWRIGHT_STATE_DIR": str(named)})[0] == named
    assert state_directories(given, {"TEAMWRIGHT_STATE_DIR": ""})[0] == given
    assert state_directories(None, {})[0] == user_state_path("teamwright", appauthor=False)


def test_a_state_directory_is_absolute_and_knows_the_users_home() -> None:
    assert state_directories(Path("state"), {})[0] == Path.cwd() / "state"
    assert state_directories(None, {"TEAMWRIGHT_STATE_DIR": "~/state"})[0] == Path.home() / "state"


def test_a_workspace_has_one_place_however_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "My Project").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "My Project", target_is_directory=True)
    state, project, other = tmp_path / "state", tmp_path / "My Project", tmp_path / "other"

    place = workspace_directory(state, [project])

    assert place.parent == state / "workspaces"
    assert place.name.startswith("my-project-")
    assert workspace_directory(state, [tmp_path / "link"]) == place
    assert workspace_directory(state, [project / ".." / "My Project"]) == place
    assert workspace_directory(state, [project, other]) == workspace_directory(state, [other, project]) != place


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("projet été", "projet-été"),
        ("a" * 300, "a" * 40),
        ("..%$..", "workspace"),
        ("con", "con"),
        ("v1.2_rc", "v1.2_rc"),
        ("\udcff", "workspace"),
    ],
)
def test_a_place_is_readable_whatever_the_folder_is_called(tmp_path: Path, name: str, slug: str) -> None:
    assert workspace_directory(tmp_path, [tmp_path / name]).name.rpartition("-")[0] == slug


def test_folders_of_the_same_name_have_different_places(tmp_path: Path) -> None:
    places = {workspace_directory(tmp_path, roots) for roots in ([tmp_path / "a/x"], [tmp_path / "b/x"], [])}

    assert len(places) == 3
