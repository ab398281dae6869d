"""URIs and paths, both ways, for every kind of workspace."""

import re
from pathlib import PurePath, PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teamwright.permissions.names import PathStyle
from teamwright.workspace.files.folders import join_uri, path_of_uri, uri_of_path


@pytest.mark.parametrize(
    ("uri", "style", "path"),
    [
        ("file:///a/b.py", "posix", PurePosixPath("/a/b.py")),
        ("file://localhost/a/b.py", "posix", PurePosixPath("/a/b.py")),
        ("file:///with%20space/%C3%BC%F0%9F%98%80.py", "posix", PurePosixPath("/with space/ü😀.py")),
        ("file:///100%25/a%23b%3Fc", "posix", PurePosixPath("/100%/a#b?c")),
        ("file:///a+b", "posix", PurePosixPath("/a+b")),
        ("file:///c%3A/Users/Ada%20L/x.py", "windows", PureWindowsPath("C:/Users/Ada L/x.py")),
        ("file:///C:/x.py", "windows", PureWindowsPath("C:/x.py")),
        ("file:///d:", "windows", PureWindowsPath("D:/")),
        ("file://server/share/x.py", "windows", PureWindowsPath(r"\\server\share\x.py")),
        ("file://server/share/x.py", "posix", None),
        ("file:///a/b.py", "windows", None),
        ("untitled:Untitled-1", "posix", None),
        ("vscode-vfs://github/a/b", "posix", None),
        ("file:///a%00b", "posix", None),
        ("file:///%ff", "posix", None),
        ("file:relative", "posix", None),
        ("not a uri", "posix", None),
        ("http://[bad", "posix", None),
    ],
)
def test_a_uri_names_a_path_of_this_machine_or_none(uri: str, style: PathStyle, path: PurePath | None) -> None:
    assert path_of_uri(uri, style) == path


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        (PurePosixPath("/with space/ü#?%.py"), "file:///with%20space/%C3%BC%23%3F%25.py"),
        (PureWindowsPath(r"C:\Users\x.py"), "file:///c%3A/Users/x.py"),
        (PureWindowsPath(r"\\server\share\x y.py"), "file://server/share/x%20y.py"),
    ],
)
def test_a_path_becomes_the_uri_that_editors_write(path: PurePath, uri: str) -> None:
    assert uri_of_path(path) == uri


def test_a_uri_below_a_folder_keeps_the_editors_spelling_of_the_folder() -> None:
    assert join_uri("file:///C:/app/", ("a b", "c.py")) == "file:///C:/app/a%20b/c.py"


names = st.text(min_size=1, max_size=10).filter(
    lambda name: not re.search(r'[\x00-\x1f/\\:*?"<>|\ud800-\udfff]', name) and name.strip(". ") == name
)
parts = st.lists(names, min_size=1, max_size=4)


@given(parts)
def test_posix_paths_survive_the_way_to_a_uri_and_back(parts: list[str]) -> None:
    path = PurePosixPath("/", *parts)
    assert path_of_uri(uri_of_path(path), "posix") == path
    assert join_uri(uri_of_path(path.parent), (path.name,)) == uri_of_path(path)


@given(parts, st.sampled_from(["C:\\", "d:\\", "\\\\server\\share\\"]))
def test_windows_paths_survive_the_way_to_a_uri_and_back(parts: list[str], anchor: str) -> None:
    path = PureWindowsPath(anchor, *parts)
    assert path_of_uri(uri_of_path(path), "windows") == path
