"""What a code action is about, gathered from the editor's text: a selection, a difference, findings."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from anyio import to_thread

from teamwright.permissions.paths import WorkspacePath, render_path
from teamwright.permissions.protection import protection_of
from teamwright.permissions.rules import Rules, whole_workspace
from teamwright.prompts.assistant.quoting import NotShown, ShownFile, attachment_text, one_line
from teamwright.prompts.code_actions import CodeActionKind, findings_to_fix
from teamwright.protocol.commands import CodeActionParams
from teamwright.protocol.errors import BadParams, FieldError, NotFound, NotPermitted
from teamwright.protocol.findings import AgreedFinding
from teamwright.protocol.items import Attachment
from teamwright.protocol.runs import ContextPath
from teamwright.runtime.context.attached_files import shown_attachment
from teamwright.runtime.reviews.homes_of_tests import homes_of_tests
from teamwright.runtime.services import Services
from teamwright.workspace.files.safe_files import IsFolder
from teamwright.workspace.git.diff import diff_since

_LONGEST_TITLE: Final = 90


@dataclass(frozen=True, slots=True)
class Material:
    """`what` completes a sentence such as “Review …”."""

    what: str
    context: str
    read: tuple[WorkspacePath, ...] = ()
    write: tuple[WorkspacePath, ...] = ()


async def gather(
    services: Services, action: CodeActionKind, params: CodeActionParams, findings: Sequence[AgreedFinding]
) -> Material:
    """Raises BadParams, NotFound and NotPermitted where there is nothing that could be looked at."""
    if params.uri is not None:
        return await to_thread.run_sync(_selection, services, action, params.uri, params, findings)
    if params.range is not None:
        raise BadParams([FieldError(path="uri", message="is required with a range")])
    if findings:
        return await to_thread.run_sync(_findings, services, action, findings)
    if params.diff is not None:
        return await _difference(services, action, params.diff.base)
    raise BadParams([FieldError(path="uri", message="name a file, or give diff or findingIds instead")])


def context_paths(services: Services, material: Material) -> tuple[ContextPath, ...]:
    places = services.client_context.folders.places
    writable = [ContextPath(path=render_path(path, places), permission="write") for path in material.write]
    readable = [ContextPath(path=render_path(path, places)) for path in material.read if path not in material.write]
    return (*writable, *readable)


def _selection(
    services: Services, action: CodeActionKind, uri: str, params: CodeActionParams, findings: Sequence[AgreedFinding]
) -> Material:
    path = services.live.folders.locate(uri)
    if path is None:
        raise BadParams([FieldError(path="uri", message="is in no folder of the workspace")])
    is_protected = bool(protection_of(path.parts))
    if not is_protected:
        # Says in its own way why a file cannot be read.
        _require_file(services, path)
    shown = shown_attachment(Attachment(uri=uri, range=params.range), services.live)
    match shown:
        case NotShown(reason=reason) if not is_protected:
            raise BadParams([FieldError(path="range", message=reason.removesuffix("."))])
        case NotShown(path=name, reason=reason):
            raise NotPermitted(f"`{name}` cannot be given to the team: {reason}")
        case ShownFile(path=name, lines=lines):
            what = f"`{name}`" if lines is None else f"lines {lines} of `{name}`"
    told = f"\n\n{findings_to_fix(_named(services, findings))}" if findings else ""
    return _with_paths(services, action, what, attachment_text(shown) + told, [path])


def _require_file(services: Services, path: WorkspacePath) -> None:
    try:
        services.live.read(path)
    except IsFolder:
        raise BadParams([FieldError(path="uri", message="is a folder; name a file in it")]) from None


def _findings(services: Services, action: CodeActionKind, findings: Sequence[AgreedFinding]) -> Material:
    located = [services.live.folders.locate(finding.uri) for finding in findings]
    paths = [path for path in dict.fromkeys(located) if path is not None]
    if not paths:
        raise NotFound("The files of these findings are in no folder of the workspace any more.")
    only = one_line(findings[0].title, _LONGEST_TITLE).removesuffix(".")
    what = f"this finding: {only}" if len(findings) == 1 else f"these {len(findings)} findings"
    return _with_paths(services, action, what, findings_to_fix(_named(services, findings)), paths)


async def _difference(services: Services, action: CodeActionKind, base: str) -> Material:
    places = services.client_context.folders.places
    folders = services.live.folders.folders
    if not folders:
        raise NotFound("No folder is open in the editor, so there is nothing to compare.")
    rules = Rules(role="assistant", places=places, roots=whole_workspace(places), repository=True)
    diff = await diff_since(services.live, rules, WorkspacePath(folders[0].name), base)
    if not diff.files:
        raise NotFound(f"Nothing differs from {base}; there is nothing to look at.")
    more = f"\n[There is more: {diff.stopped}]" if diff.stopped else ""
    paths = [WorkspacePath(folders[0].name, tuple(name.split("/"))) for name in diff.files]
    what = f"the changes since `{base}`"
    return await to_thread.run_sync(
        _with_paths, services, action, what, f"```diff\n{diff.text.rstrip()}\n```{more}", paths
    )


def _with_paths(
    services: Services, action: CodeActionKind, what: str, context: str, paths: Sequence[WorkspacePath]
) -> Material:
    there = tuple(path for path in paths if services.live.read_if_present(path) is not None)
    match action:
        case "review" | "explain":
            return Material(what, context, read=there)
        case "fix":
            return Material(what, context, write=tuple(paths))
        case "test":
            homes = dict.fromkeys(home for path in paths for home in homes_of_tests(services.live, path))
            return Material(what, context, read=there, write=tuple(homes))


def _named(services: Services, findings: Iterable[AgreedFinding]) -> list[AgreedFinding]:
    """By the paths that tools know."""
    folders = services.client_context.folders
    located = ((finding, folders.locate(finding.uri)) for finding in findings)
    return [
        finding.model_copy(update={"uri": render_path(path, folders.places)}) if path is not None else finding
        for finding, path in located
    ]
