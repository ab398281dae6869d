"""What a Python file holds, as its syntax tree tells: what it says of itself, imports, classes and functions. Pure."""

import ast
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from quorate.models.offline.remarks import Source

_LONGEST: Final = 1_000_000
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def outline(source: Source) -> str:
    if PurePosixPath(source.path).suffix not in {".py", ".pyi"} or len(source.text) > _LONGEST:
        return f"`{source.path}` has {source.text.count(chr(10)) + 1} lines; its outline is known for Python only."
    try:
        tree = ast.parse(source.text)
    except (SyntaxError, ValueError, RecursionError) as fault:
        return f"`{source.path}` is not valid Python: {fault}."
    says = ast.get_docstring(tree)
    head = f"`{source.path}`: {_first_line(says)}" if says else f"`{source.path}` says nothing about itself."
    imports = sorted({name for node in ast.walk(tree) for name in _imported(node)})
    needs = f"\n\nIt needs {', '.join(f'`{name}`' for name in imports)}." if imports else ""
    definitions = "\n".join(
        _described(source.path, node, depth=0) for node in tree.body if isinstance(node, _Definition)
    )
    return f"{head}{needs}\n\n{definitions}".rstrip()


def _described(path: str, node: _Definition, *, depth: int) -> str:
    kind = "class" if isinstance(node, ast.ClassDef) else "function"
    says = ast.get_docstring(node)
    line = f"{'  ' * depth}- `{path}:{node.lineno}` {kind} `{node.name}`" + (f": {_first_line(says)}" if says else "")
    inner = [child for child in node.body if isinstance(child, _Definition)] if kind == "class" else []
    return "\n".join([line, *(_described(path, child, depth=depth + 1) for child in inner)])


def _imported(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (name.name.partition(".")[0] for name in names)
        case ast.ImportFrom(module=str(module), level=0):
            yield module.partition(".")[0]
        case _:
            pass


def _first_line(text: str) -> str:
    return text.strip().splitlines()[0]
