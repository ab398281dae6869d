"""A person's own request for a run, with what they have attached to it."""

from anyio import to_thread

from teamwright.protocol.ids import TurnId
from teamwright.protocol.items import Attachment
from teamwright.protocol.runs import RunSpec
from teamwright.runtime.context.attached_files import attachment_texts
from teamwright.runtime.context.entry import UserEntry
from teamwright.runtime.runs.default_paths import attached_paths, together
from teamwright.runtime.runs.registry import Request
from teamwright.runtime.services import Services


async def requested_by_user(services: Services, spec: RunSpec, attachments: tuple[Attachment, ...]) -> Request:
    if not attachments:
        return Request(by_user=(spec,))
    attached = await to_thread.run_sync(attached_paths, attachments, services.client_context.folders)
    shown = await attached_text(services, attachments)
    update: dict[str, object] = {"context": "\n\n".join(filter(None, [spec.context, shown]))}
    if spec.context_paths is not None:
        update["context_paths"] = together(spec.context_paths, attached)
    return Request(by_user=(spec.model_copy(update=update),), attached=attached)


async def attached_text(services: Services, attachments: tuple[Attachment, ...]) -> str:
    said = UserEntry(0, TurnId(""), "", attachments)
    return (await to_thread.run_sync(attachment_texts, said, services.live)).full
