"""What ruff, bandit, lizard and plain patterns say of the same files, and in the same words."""

import pytest

from teamwright.models.offline.analysts import examine
from teamwright.models.offline.python_analysers import edits_between, safe_fixes
from teamwright.models.offline.remarks import SourceFile, claim_of, claims_in, remark_line

FAULTY = SourceFile(
    "src/app.py",
    '''"""An example."""
import os, sys
import subprocess
import yaml

PASSWORD = "hunter2-hunter2"


def run(command, seen=[]):
    try:
        subprocess.call(command, shell=True)
    except:
        pass
    return eval(command)


def load(path):
    with open(path) as file:
        return yaml.load(file)
''',
)
SCRIPT = SourceFile("web/app.js", "function go(a) { return eval(a) }\nconst api_key = 'abcdefgh'\n// TODO tidy\n")


async def lines(speciality: str, *sources: SourceFile) -> list[str]:
    match speciality:
        case "lint" | "security" | "structure":
            return [remark_line(remark) for remark in (await examine(speciality, sources)).remarks]
        case _:
            raise AssertionError(speciality)


@pytest.mark.asyncio
async def test_each_analyst_names_what_its_rules_know_at_the_exact_lines() -> None:
    assert await lines("lint", FAULTY) == [
        "- `src/app.py:6` error: Secret written into the source [ruff S105]",
        "- `src/app.py:11` error: Command goes through a shell [ruff S602]",
        "- `src/app.py:14` error: Text is run as code [ruff S307]",
        "- `src/app.py:2` warning: `os` imported but unused [ruff F401]",
        "- `src/app.py:2` warning: `sys` imported but unused [ruff F401]",
        "- `src/app.py:9` warning: Do not use mutable data structures for argument defaults [ruff B006]",
        "- `src/app.py:12` warning: Bare `except` hides every error [ruff E722]",
        "- `src/app.py:12-13` warning: Exception is swallowed without a trace [ruff S110]",
        "- `src/app.py:19` warning: `yaml.load` builds any object the file names [ruff S506]",
        "- `src/app.py:2` hint: Multiple imports on one line [ruff E401]",
    ]
    assert await lines("security", FAULTY) == [
        "- `src/app.py:6` error: Secret written into the source [bandit B105]",
        "- `src/app.py:11` error: Command goes through a shell [bandit B602]",
        "- `src/app.py:14` error: Text is run as code [bandit B307]",
        "- `src/app.py:12-13` warning: Exception is swallowed without a trace [bandit B110]",
        "- `src/app.py:19` warning: `yaml.load` builds any object the file names [bandit B506]",
    ]
    assert await lines("structure", FAULTY) == [
        "- `src/app.py:6` error: Secret written into the source [text secret]",
        "- `src/app.py:11` error: Command goes through a shell [text shell]",
        "- `src/app.py:14` error: Text is run as code [text eval]",
    ]


@pytest.mark.asyncio
async def test_other_languages_get_what_patterns_and_lizard_can_say() -> None:
    assert await lines("lint", SCRIPT) == [
        "- `web/app.js:3` hint: A note says that something is unfinished [text note]"
    ]
    assert await lines("security", SCRIPT) == [
        "- `web/app.js:1` error: Text is run as code [text eval]",
        "- `web/app.js:2` error: Secret written into the source [text secret]",
    ]
    functions = (await examine("structure", [SCRIPT])).functions
    assert [(each.name, each.path, each.line, each.complexity) for each in functions] == [("go", "web/app.js", 1, 1)]


@pytest.mark.asyncio
async def test_a_tangle_of_branches_is_seen_by_ruff_and_by_lizard_alike() -> None:
    branches = "".join(f"    if value == {number}:\n        return {number}\n" for number in range(12))
    tangle = SourceFile("tangle.py", f"def pick(value):\n{branches}    return None\n")
    title = "Function is hard to follow: too many branches"
    assert await lines("lint", tangle) == [f"- `tangle.py:1` warning: {title} [ruff C901]"]
    assert await lines("structure", tangle) == [f"- `tangle.py:1` warning: {title} [lizard complexity]"]


@pytest.mark.asyncio
async def test_a_file_that_is_not_python_in_spite_of_its_name_is_a_finding_and_no_failure() -> None:
    broken = SourceFile("broken.py", "def (:\n")
    assert next(line.partition(" error: ")[0] for line in await lines("lint", broken)) == "- `broken.py:1`"
    assert await lines("security", broken) == []
    assert await lines("structure", broken) == []


@pytest.mark.asyncio
async def test_the_repository_cannot_configure_the_analysts() -> None:
    settings = SourceFile("ruff.toml", "lint.select = []\n")
    project = SourceFile("pyproject.toml", "[tool.bandit]\nskips = ['B602']\n")
    assert await lines("lint", FAULTY, settings, project) == await lines("lint", FAULTY)
    assert await lines("security", FAULTY, settings, project) == await lines("security", FAULTY)


@pytest.mark.asyncio
async def test_no_files_no_remarks() -> None:
    assert [await lines(name) for name in ("lint", "security", "structure")] == [[], [], []]


@pytest.mark.asyncio
async def test_a_remark_can_be_read_back_from_an_answer() -> None:
    remarks = (await examine("lint", [FAULTY])).remarks
    written = "\n".join(f"{remark_line(remark)}\n  {remark.detail}" for remark in remarks)
    assert claims_in(f"Before.\n\n{written}\n\nAfter.") == tuple(map(claim_of, remarks))


@pytest.mark.asyncio
async def test_the_fixes_are_edits_of_passages_that_stand_once() -> None:
    edits = await safe_fixes([FAULTY, SCRIPT])
    text = FAULTY.text
    for edit in edits:
        assert (edit.path, text.count(edit.old)) == (FAULTY.path, 1)
        text = text.replace(edit.old, edit.new)
    assert text == FAULTY.text.replace("import os, sys\n", "")


def test_edits_between_two_texts_lead_from_one_to_the_other() -> None:
    before = "a\nb\na\nb\nc\na\nb\n"
    for after in ("b\na\nb\nc\na\nb\n", "a\nb\na\nx\nc\na\ny\nb\n", "z\n" + before, "", before + "z", "a\nb\n"):
        text = before
        for edit in edits_between(SourceFile("f", before), after):
            assert text.count(edit.old) == 1
            text = text.replace(edit.old, edit.new)
        assert text == after
