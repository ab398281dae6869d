"""Every claim of a capability names one that exists, and goes through a public door."""

import ast
from collections.abc import Iterator

from tests.support.capabilities import DOORS, known_capabilities
from tests.tidy.source import parsed, place, written_by_hand


def test_only_capabilities_that_exist_are_claimed() -> None:
    known = known_capabilities()
    unknown = [f"{where}: {claim}" for where, ids, _ in _claims() for claim in ids if claim not in known]
    assert unknown == []


def test_a_claim_goes_through_a_public_door() -> None:
    inside = [where for where, _, arguments in _claims() if not DOORS & arguments]
    assert inside == []


def _claims() -> Iterator[tuple[str, list[str], set[str]]]:
    """Where a test says `@pytest.mark.proves(...)`, the ids it names, and the fixtures it asks for."""
    for path in written_by_hand(".py", under="tests"):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for decorator in node.decorator_list:
                    if (
                        isinstance(decorator, ast.Call)
                        and isinstance(decorator.func, ast.Attribute)
                        and decorator.func.attr == "proves"
                    ):
                        ids = [arg.value for arg in decorator.args if isinstance(arg, ast.Constant)]
                        yield place(path, node), [str(each) for each in ids], {arg.arg for arg in node.args.args}
