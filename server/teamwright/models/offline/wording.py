"""The answers of agents without a model, in words. Each says what made it. Pure."""

import ast
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

from teamwright.engine.transcript.words import counted, listed
from teamwright.models.offline.analysts import PROFILES, AnalysisReport, Speciality
from teamwright.models.offline.assignment import Assignment
from teamwright.models.offline.judging import Agreed
from teamwright.models.offline.lizard import Function
from teamwright.models.offline.remarks import CodeRemark, SourceFile, remark_line

WHAT_WE_ARE: Final = (
    "This is Teamwright's offline team: three rule-based analysers (ruff, bandit, lizard) and no language model."
)
WHAT_A_KEY_ADDS: Final = (
    "For answers to anything else, set a key such as ANTHROPIC_API_KEY or OPENAI_API_KEY, or start a local model "
    "server; `teamwright check` shows what was found."
)
CAPABILITIES: Final = f"""\
{WHAT_WE_ARE}

They can, without any key:
- **review** a file or a selection: attach it, or name it ("review src/app.py"). Findings come with their lines and \
with how many analysers agree.
- **fix** what ruff can fix safely: "fix src/app.py". You see the change before it is made.
- **explain** how a file is built: its functions, where they stand and how involved they are.
- **run the project's checks**: "do the tests pass?".

{WHAT_A_KEY_ADDS}"""
TESTS_NEED_A_MODEL: Final = f"Writing tests needs a language model. {WHAT_A_KEY_ADDS}"
NO_TESTS: Final = f"{TESTS_NEED_A_MODEL} What the analysers say of the code:"
NO_FILES: Final = (
    "There is no file to look at: name one, or attach a file or a selection. " + WHAT_WE_ARE + " " + WHAT_A_KEY_ADDS
)
_MOST_LISTED: Final = 60
_LONGEST: Final = 1_000_000
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def review_text(speciality: Speciality, sources: Sequence[SourceFile], report: AnalysisReport) -> str:
    portrait = PROFILES[speciality]
    looked = f"{portrait.tool} looked at {_files(sources)} for {portrait.looks_at}"
    if not report.remarks:
        return f"{looked}: nothing to remark on. (Rule-based, no language model.)"
    found = "\n".join(_with_detail(remark) for remark in report.remarks[:_MOST_LISTED])
    more = len(report.remarks) - _MOST_LISTED
    rest = f"\nand {more} more, of less weight." if more > 0 else ""
    count = counted(len(report.remarks), "finding")
    return f"{looked}: {count}. (Rule-based, no language model.)\n\n{found}{rest}"


def explanation_text(
    speciality: Speciality, sources: Sequence[SourceFile], report: AnalysisReport, outlines: str
) -> str:
    portrait = PROFILES[speciality]
    match speciality:
        case "structure":
            body = "\n\n".join(_functions(source, report.functions) for source in sources)
        case "lint":
            body = outlines
        case "security":
            body = _points(report.remarks)
    return f"{body}\n\n({_files(sources)}, as {portrait.tool} and its rules see it; no language model.)"


def presented_review(assignment: Assignment, agreed: Sequence[Agreed], team: int, edited: Sequence[str]) -> str:
    lead = NO_TESTS + "\n\n" if assignment.purpose == "tests" else ""
    if not agreed:
        return f"{lead}The analysers found nothing to remark on.\n\n{WHAT_WE_ARE}"
    found = _agreement(agreed, team) if assignment.reports_findings else _agreed_list(agreed, team)
    # True before they are written and after.
    fixed = f"\n\nThe changes are ruff's safe fixes of {listed([f'`{path}`' for path in edited])}." if edited else ""
    return f"{lead}{found}{fixed}\n\n{WHAT_WE_ARE}"


def _agreement(agreed: Sequence[Agreed], team: int) -> str:
    """Each is counted once, so that the parts come to the whole."""
    total = counted(len(agreed), "finding")
    by = {number: sum(each.count == number for each in agreed) for number in range(team, 0, -1)}
    (first, found), *others = ((number, found) for number, found in by.items() if found)
    whole = f"the {team} analysers"
    if team == 1:
        return f"{total}."
    if not others:
        return f"{total}, {'' if found == 1 else 'each '}by {_who(first, team, whole)}."
    parts = [f"{found} by {_who(first, team, whole)}"]
    parts += [f"{found} by {_who(number, team, 'them')}" for number, found in others]
    return f"{total}: {', '.join(parts)}."


def _who(number: int, team: int, whole: str) -> str:
    if number == team:
        return "both analysers" if team == 2 else f"all {team} analysers"
    return f"one of {whole} alone" if number == 1 else f"{number} of {whole}"


def _agreed_list(agreed: Sequence[Agreed], team: int) -> str:
    found = "\n".join(
        f"- `{each.claim.place.path}:{each.claim.place.line}` {each.claim.severity}: {each.claim.title} "
        f"({each.count} of {team})"
        for each in agreed[:_MOST_LISTED]
    )
    more = len(agreed) - _MOST_LISTED
    rest = f"\n- and {more} more" if more > 0 else ""
    order = ", most agreed first" if len(agreed) > 1 else ""
    return f"{counted(len(agreed), 'finding')}{order}:\n\n{found}{rest}"


def _with_detail(remark: CodeRemark) -> str:
    said = " ".join(f"{text.removesuffix('.')}." for text in (remark.beyond_title, remark.suggestion) if text)
    return f"{remark_line(remark)}\n  {said}" if said else remark_line(remark)


def _functions(source: SourceFile, functions: Sequence[Function]) -> str:
    own = [function for function in functions if function.path == source.path]
    lines = _lines(source)
    if not own:
        return f"`{source.path}` has {lines} and no function that lizard can see."
    described = "\n".join(
        f"- `{source.path}:{each.line}-{each.end_line}` `{each.name}`: {counted(each.parameters, 'parameter')}, "
        f"{counted(each.complexity, 'way')} through it"
        for each in own
    )
    hardest = max(own, key=lambda each: each.complexity)
    involved = f" The most involved is `{hardest.name}`." if len(own) > 1 else ""
    return f"`{source.path}` has {lines} and {counted(len(own), 'function')}.{involved}\n\n{described}"


def _lines(source: SourceFile) -> str:
    return counted(len(source.text.splitlines()), "line")


def _points(remarks: Sequence[CodeRemark]) -> str:
    if not remarks:
        return "Nothing in it stands out to bandit."
    points = "\n".join(remark_line(remark) for remark in remarks)
    return f"What a reader should know about its safety:\n\n{points}"


def _files(sources: Sequence[SourceFile]) -> str:
    return f"`{sources[0].path}`" if len(sources) == 1 else f"{len(sources)} files"


def outline(source: SourceFile) -> str:
    if PurePosixPath(source.path).suffix not in {".py", ".pyi"} or len(source.text) > _LONGEST:
        return f"`{source.path}` has {_lines(source)}; its outline is known for Python only."
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
