"""The wheel and the source distribution: what is in them, and that the wheel alone is a working program."""

import os
import subprocess
import sys
import tarfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path, PurePosixPath

import pytest

import teamwright

ROOT = Path(__file__).parents[2]
DIST_INFO = f"teamwright-{teamwright.__version__}.dist-info"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-t", "sdist", "-d", str(directory)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    return directory


@pytest.fixture(scope="module")
def wheel(built: Path) -> Iterator[zipfile.ZipFile]:
    (path,) = built.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        yield archive


def test_the_wheel_holds_the_package_and_what_describes_it_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    package = ROOT / "server" / "teamwright"
    sources = {
        f"teamwright/{path.relative_to(package).as_posix()}"
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    about = {"METADATA", "WHEEL", "entry_points.txt", "licenses/LICENSE", "RECORD"}
    assert set(wheel.namelist()) == sources | {f"{DIST_INFO}/{name}" for name in about}
    others = {name for name in sources if PurePosixPath(name).suffix != ".py"}
    assert others == {
        "teamwright/py.typed",
        "teamwright/cli/evaluation/tasks/c-words.yaml",
        "teamwright/cli/evaluation/tasks/javascript-cart.yaml",
        "teamwright/cli/evaluation/tasks/python-invoices.yaml",
        "teamwright/cli/evaluation/tasks/rust-ledger.yaml",
        "teamwright/cli/starter.yaml",
        "teamwright/cli/sample/invoices.py.txt",
        "teamwright/cli/sample/team.yaml",
    }


def test_the_source_distribution_holds_what_builds_and_explains_it(built: Path) -> None:
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = [PurePosixPath(member.name).relative_to(f"teamwright-{teamwright.__version__}") for member in archive]
    assert set(Counter(name.parts[0] for name in names)) == {
        ".gitignore",
        "CHANGELOG.md",
        "LICENSE",
        "PKG-INFO",
        "README.md",
        "docs",
        "examples",
        "pyproject.toml",
        "server",
    }
    assert not [name for name in names if name.suffix in {".pyc", ".whl", ".vsix"}]


def test_the_version_stands_in_one_place(wheel: zipfile.ZipFile) -> None:
    metadata = message_from_bytes(wheel.read(f"{DIST_INFO}/METADATA"))
    assert metadata["Version"] == teamwright.__version__
    assert f'"{teamwright.__version__}"' not in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_the_wheel_is_a_working_program(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    unpacked, temporary = tmp_path / "unpacked", tmp_path / "tmp"
    wheel.extractall(unpacked)  # noqa: S202 - we have just built it
    temporary.mkdir()
    environ = {**os.environ, "PYTHONPATH": str(unpacked), "TMPDIR": str(temporary), "TEMP": str(temporary)}

    def run(*command: str) -> str:
        done = subprocess.run(
            [sys.executable, *command], env=environ, cwd=tmp_path, check=True, capture_output=True, timeout=120
        )
        return done.stdout.decode()

    assert Path(run("-c", "import teamwright; print(teamwright.__file__)").strip()).is_relative_to(unpacked)
    assert "Changed 1 file" in run("-m", "teamwright", "demo", "--yes")
