"""Rules of the house that no linter knows."""

import ast
import re

from tests.tidy.source import ROOT, parsed, place, tracked_files, written_by_hand

MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 60
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}

# Where a bug must not take the house down with it: it is logged whole, and becomes an answer or an event.
BOUNDARIES = {
    "server/teamwright/lsp/transport/request_tracker.py": "a request that fails is answered with a 500",
    "server/teamwright/application/background.py": "a notification or task that fails does not end the server",
    "server/teamwright/runtime/sessions/turns.py": "a turn that fails does not end its session",
    "server/teamwright/runtime/sessions/conductor.py": "a session that fails does not end the server",
    "server/teamwright/runtime/runs/checking.py": "a check that fails does not end its run",
    "server/teamwright/runtime/runs/active_run.py": "a run that fails does not end its session",
    "server/teamwright/runtime/runs/agents/worker.py": "an agent that fails does not end its run",
    "server/teamwright/runtime/journal.py": "what one cannot judge or write is raised to that one, not to the others",
}
# The only places that may write to the process's stdout: it belongs to the wire in `serve`, to the user elsewhere.
STDOUT_OWNERS = {
    "server/teamwright/cli/output.py",
    "server/teamwright/models/programs/catalogue.py",
}


def test_no_file_is_two_rooms_in_one() -> None:
    too_long = {
        path.relative_to(ROOT).as_posix(): lines
        for path in written_by_hand(".py", ".ts", ".lua", ".mjs", ".sh")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > MAX_FILE_LINES
    }
    assert too_long == {}


def test_no_function_needs_a_table_of_contents() -> None:
    too_long = [
        f"{place(path, node)} {node.name}: {length} lines"
        for path in written_by_hand(".py")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := (node.end_lineno or node.lineno) - node.lineno + 1) > MAX_FUNCTION_LINES
    ]
    assert too_long == []


def test_a_module_is_named_after_what_it_is_about() -> None:
    nameless = [
        path.relative_to(ROOT).as_posix()
        for path in written_by_hand(".py", ".ts", ".lua")
        if path.stem.lower() in EMPTY_NAMES
    ]
    assert nameless == []


def test_everything_is_caught_only_at_the_named_boundaries() -> None:
    blind = [
        place(path, node)
        for path in written_by_hand(".py", under="server")
        if path.relative_to(ROOT).as_posix() not in BOUNDARIES
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ExceptHandler) and _catches_everything(node)
    ]
    assert blind == []


def test_a_named_boundary_still_is_one() -> None:
    stale = [
        name
        for name in BOUNDARIES
        if not any(
            isinstance(node, ast.ExceptHandler) and _catches_everything(node) for node in ast.walk(parsed(ROOT / name))
        )
    ]
    assert stale == []


def test_stdout_has_one_owner_in_each_program() -> None:
    writers = [
        place(path, node)
        for path in written_by_hand(".py", under="server")
        if path.relative_to(ROOT).as_posix() not in STDOUT_OWNERS
        for node in ast.walk(parsed(path))
        if _is_print(node) or _is_stdout(node)
    ]
    assert writers == []


def test_messages_in_vs_code_have_one_door() -> None:
    """Where links in them are broken; and nothing that is made of Markdown may run commands."""
    live = re.compile(r"\bshow(?:Information|Warning|Error)Message\b|\bisTrusted\s*[:=](?!=)|\bsupportHtml\b")
    elsewhere = [
        f"{path.relative_to(ROOT).as_posix()}:{number}"
        for path in written_by_hand(".ts", under="editors/vscode/src")
        if path.name != "saying.ts"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if live.search(line)
    ]
    assert elsewhere == []


def test_neovim_looks_files_up_by_their_exact_names() -> None:
    """These take patterns, or what a command line makes of a name."""
    loose = re.compile(
        r"\bfn\.(?:bufnr|bufexists|bufname|bufwinid|bufwinnr|bufloaded|buflisted|expand|glob|globpath)\b"
    )
    found = [
        f"{path.relative_to(ROOT).as_posix()}:{number}"
        for path in written_by_hand(".lua", under="editors/neovim/lua")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if loose.search(line)
    ]
    assert found == []


def test_the_project_speaks_of_itself_alone() -> None:
    """No path of the machine it was written on, and no package registry by its host name."""
    machine = re.compile(r"(?<![\w.~$}])/(?:work|root|home/\w+)/")
    registry = re.compile(r"\b(?:registry\.npm" + r"js|py" + r"pi|files\.python" + r"hosted|deb\.deb" + r"ian)\.org\b")
    spoken = [
        f"{path.relative_to(ROOT).as_posix()}:{number}"
        for path in tracked_files()
        if path.suffix not in {".png", ".vsix"}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if machine.search(line) or registry.search(line)
    ]
    assert spoken == []


def _catches_everything(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(isinstance(each, ast.Name) and each.id in {"Exception", "BaseException"} for each in caught)


def _is_print(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"


def _is_stdout(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in {"stdout", "__stdout__"} and _is_sys(node.value)


def _is_sys(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "sys"
