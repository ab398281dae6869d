"""Files below a root: what is reached, what is refused, and that a write is whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

from teamwright.protocol.errors import Conflict, LimitReached, NotFound, NotPermitted
from teamwright.workspace.files import beneath
from teamwright.workspace.files.beneath import DirectoryEntry
from teamwright.workspace.files.safe_files import Holding, Root, hash_of, is_leftover


@pytest.fixture(params=["descriptors", "checked paths"])
def root(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Root:
    """Both ways of reaching files must behave alike; which one is used depends on the platform."""
    if request.param == "checked paths":
        monkeypatch.setattr(beneath, "HAS_DESCRIPTORS", False)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").write_text("secret", encoding="utf-8")
    (tmp_path / "root" / "src").mkdir(parents=True)
    (tmp_path / "root" / "src" / "main.py").write_text("print()\n", encoding="utf-8")
    return Root(tmp_path / "root")


def test_a_regular_file_is_read(root: Root) -> None:
    assert root.read(("src", "main.py")) == b"print()\n"


def test_a_root_that_is_itself_a_link_works(root: Root) -> None:
    link = root.path.parent / "link to root"
    link.symlink_to(root.path)
    assert Root(link).read(("src", "main.py")) == b"print()\n"


@pytest.mark.parametrize(
    ("link", "target", "asked"),
    [
        (("out",), "../outside", ("out", "secret.txt")),
        (("src", "out.txt"), "../../outside/secret.txt", ("src", "out.txt")),
        (("inner",), "src", ("inner", "main.py")),
        (("alias.py",), "src/main.py", ("alias.py",)),
        (("loop",), "loop", ("loop",)),
    ],
)
def test_links_are_followed_neither_out_nor_in_and_the_message_names_them(
    root: Root, link: tuple[str, ...], target: str, asked: tuple[str, ...]
) -> None:
    root.path.joinpath(*link).symlink_to(target)
    with pytest.raises(NotPermitted, match=f"the link `{link[-1]}` to"):
        root.read(asked)
    with pytest.raises(NotPermitted):
        root.write(asked, b"changed")
    with pytest.raises(NotPermitted):
        root.delete(asked)
    assert (root.path.parent / "outside" / "secret.txt").read_text(encoding="utf-8") == "secret"
    assert root.read(("src", "main.py")) == b"print()\n"


def test_special_files_and_folders_are_refused_without_waiting_for_them(root: Root) -> None:
    os.mkfifo(root.path / "pipe")
    for parts in (("pipe",), ("src",), ()):
        with pytest.raises(NotPermitted):
            root.read(parts)
        with pytest.raises(NotPermitted):
            root.write(parts, b"")
        with pytest.raises(NotPermitted):
            root.delete(parts)


def test_a_missing_file_is_not_found(root: Root) -> None:
    with pytest.raises(NotFound, match=r"`src/none\.py` does not exist"):
        root.read(("src", "none.py"))
    with pytest.raises(NotFound):
        root.read(("src", "main.py", "below"))
    assert root.read_if_present(("none",)) is None


def test_a_file_above_the_limit_is_refused(root: Root) -> None:
    root.write(("big",), b"x" * 11)
    assert root.read(("big",), limit=11) == b"x" * 11
    with pytest.raises(LimitReached) as refused:
        root.read(("big",), limit=10)
    assert refused.value.data == {"limit": 10}


def test_entries_tell_kinds_and_are_sorted(root: Root) -> None:
    (root.path / "b.txt").touch()
    (root.path / "a link").symlink_to("src")
    os.mkfifo(root.path / "pipe")
    with open(os.fsencode(root.path) + b"/\xff", "wb"):  # noqa: PTH123
        pass
    assert root.entries() == (
        DirectoryEntry("a link", "link"),
        DirectoryEntry("b.txt", "file"),
        DirectoryEntry("pipe", "special"),
        DirectoryEntry("src", "directory"),
    )


def test_a_write_makes_missing_folders_and_leaves_nothing_else_behind(root: Root) -> None:
    root.write(("new", "deep", "file.txt"), b"text")
    assert root.read(("new", "deep", "file.txt")) == b"text"
    assert root.entries(("new", "deep")) == (DirectoryEntry("file.txt", "file"),)


def test_a_write_keeps_the_mode_of_what_it_replaces(root: Root) -> None:
    script = root.path / "run.sh"
    script.write_bytes(b"old")
    script.chmod(0o754)
    root.write(("run.sh",), b"new")
    assert (script.read_bytes(), stat.S_IMODE(script.stat().st_mode)) == (b"new", 0o754)


def test_a_write_goes_through_only_when_the_expected_content_is_there(root: Root) -> None:
    path = ("src", "main.py")
    with pytest.raises(Conflict, match="has changed meanwhile"):
        root.write(path, b"mine", Holding(hash_of(b"something else")))
    with pytest.raises(Conflict):
        root.write(path, b"mine", Holding(None))
    with pytest.raises(Conflict):
        root.delete(path, Holding(hash_of(b"something else")))
    assert root.read(path) == b"print()\n"
    root.write(path, b"mine", Holding(hash_of(b"print()\n")))
    root.write(("created",), b"mine", Holding(None))
    root.delete(path, Holding(hash_of(b"mine")))
    assert root.entries(("src",)) == ()


def test_a_write_that_fails_leaves_the_old_file_and_no_leftover(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Conflict, match="no space left on device"):
        root.write(("src", "main.py"), b"new")
    assert root.read(("src", "main.py")) == b"print()\n"
    assert not any(is_leftover(entry.name) for entry in root.entries(("src",)))
