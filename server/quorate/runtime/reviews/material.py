"""What an errand is about, gathered from the editor's text: a selection, a difference, findings."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from anyio import to_thread

from quorate.permissions.paths import WorkspacePath, render_path
from quorate.permissions.protection import protection_of
from quorate.permissions.rules import Rules, whole_workspace
from quorate.prompts.assistant.attachments import NotShown, ShownFile, attachment_text
from quorate.prompts.errands import Errand, findings_to_fix
from quorate.protocol.commands import CodeActionParams
from quorate.protocol.errors import BadParams, FieldError, NotFound, NotPermitted
from quorate.protocol.findings import AgreedFinding
from quorate.protocol.items import Attachment
from quorate.protocol.runs import ContextPath
from quorate.runtime.context.attached_files import shown_attachment
from quorate.runtime.house import House
from quorate.runtime.reviews.homes_of_tests import homes_of_tests
from quorate.workspace.faults import IsFolder
from quorate.workspace.repository_diff import diff_since


@dataclass(frozen=True, slots=True)
class Material:
    """`what` completes a sentence such as “Review …”."""

    what: str
    context: str
    read: tuple[WorkspacePath, ...] = ()
    write: tuple[WorkspacePath, ...] = ()


async def gather(house: House, errand: Errand, params: CodeActionParams, findings: Sequence[AgreedFinding]) -> Material:
    """Raises BadParams, NotFound and NotPermitted where there is nothing that could be looked at."""
    if params.uri is not None:
        return await to_thread.run_sync(_selection, house, errand, params.uri, params, findings)
    if params.range is not None:
        raise BadParams([FieldError(path="uri", message="is required with a range")])
    if findings:
        return await to_thread.run_sync(_findings, house, errand, findings)
    if params.diff is not None:
        return await _difference(house, errand, params.diff.base)
    raise BadParams([FieldError(path="uri", message="name a file, or give diff or findingIds instead")])


def context_paths(house: House, material: Material) -> tuple[ContextPath, ...]:
    places = house.premises.folders.places
    writable = [ContextPath(path=render_path(path, places), permission="write") for path in material.write]
    readable = [ContextPath(path=render_path(path, places)) for path in material.read if path not in material.write]
    return (*writable, *readable)


def _selection(
    house: House, errand: Errand, uri: str, params: CodeActionParams, findings: Sequence[AgreedFinding]
) -> Material:
    path = house.live.folders.locate(uri)
    if path is None:
        raise BadParams([FieldError(path="uri", message="is in no folder of the workspace")])
    is_protected = bool(protection_of(path.parts))
    if not is_protected:
        # Says in its own way why a file cannot be read.
        _require_file(house, path)
    shown = shown_attachment(Attachment(uri=uri, range=params.range), house.live)
    match shown:
        case NotShown(reason=reason) if not is_protected:
            raise BadParams([FieldError(path="range", message=reason.removesuffix("."))])
        case NotShown(path=name, reason=reason):
            raise NotPermitted(f"`{name}` cannot be given to the team: {reason}")
        case ShownFile(path=name, lines=lines):
            what = f"`{name}`" if lines is None else f"lines {lines} of `{name}`"
    told = f"\n\n{findings_to_fix(_named(house, findings))}" if findings else ""
    return _with_paths(house, errand, what, attachment_text(shown) + told, [path])


def _require_file(house: House, path: WorkspacePath) -> None:
    try:
        house.live.read(path)
    except IsFolder:
        raise BadParams([FieldError(path="uri", message="is a folder; name a file in it")]) from None


def _findings(house: House, errand: Errand, findings: Sequence[AgreedFinding]) -> Material:
    located = [house.live.folders.locate(finding.uri) for finding in findings]
    paths = [path for path in dict.fromkeys(located) if path is not None]
    if not paths:
        raise NotFound("The files of these findings are in no folder of the workspace any more.")
    what = "this finding" if len(findings) == 1 else f"these {len(findings)} findings"
    return _with_paths(house, errand, what, findings_to_fix(_named(house, findings)), paths)


async def _difference(house: House, errand: Errand, base: str) -> Material:
    places = house.premises.folders.places
    folders = house.live.folders.folders
    if not folders:
        raise NotFound("No folder is open in the editor, so there is nothing to compare.")
    rules = Rules(role="assistant", places=places, roots=whole_workspace(places), repository=True)
    diff = await diff_since(house.live, rules, WorkspacePath(folders[0].name), base)
    if not diff.files:
        raise NotFound(f"Nothing differs from {base}; there is nothing to look at.")
    more = f"\n[There is more: {diff.stopped}]" if diff.stopped else ""
    paths = [WorkspacePath(folders[0].name, tuple(name.split("/"))) for name in diff.files]
    what = f"the changes since `{base}`"
    return await to_thread.run_sync(
        _with_paths, house, errand, what, f"```diff\n{diff.text.rstrip()}\n```{more}", paths
    )


def _with_paths(house: House, errand: Errand, what: str, context: str, paths: Sequence[WorkspacePath]) -> Material:
    there = tuple(path for path in paths if house.live.read_if_present(path) is not None)
    match errand:
        case "review" | "explain":
            return Material(what, context, read=there)
        case "fix":
            return Material(what, context, write=tuple(paths))
        case "test":
            homes = dict.fromkeys(home for path in paths for home in homes_of_tests(house.live, path))
            return Material(what, context, read=there, write=tuple(homes))


def _named(house: House, findings: Iterable[AgreedFinding]) -> list[AgreedFinding]:
    """By the paths that tools know."""
    folders = house.premises.folders
    located = ((finding, folders.locate(finding.uri)) for finding in findings)
    return [
        finding.model_copy(update={"uri": render_path(path, folders.places)}) if path is not None else finding
        for finding, path in located
    ]
