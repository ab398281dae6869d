"""From a request to the steps of its reply: endpoint, key, the provider's own checks, script, format."""

import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import assert_never

from tests.support.model_server.delivery import Breaks, HangUp, Head, Silence, Step, body_plan, opening, stream_plan
from tests.support.model_server.faults import fault_of_status
from tests.support.model_server.formats import CHAT, FORMATS, MESSAGES
from tests.support.model_server.formats.format import Format
from tests.support.model_server.formats.listing import model_entry, model_list, speaks_anthropic
from tests.support.model_server.frames import JsonObject, json_text
from tests.support.model_server.replies import Answer, Failure, NoAnswer, Reply
from tests.support.model_server.request import Request
from tests.support.model_server.script import ModelScript, Unscripted

JSON = {"content-type": "application/json"}
EVENT_STREAM = {"content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache"}
# Both SDKs obey it: an error of the script must reach the test at once, not after retries.
DO_NOT_RETRY = {"x-should-retry": "false"}


@dataclass
class Router:
    scripts: dict[str, ModelScript] = field(default_factory=dict[str, ModelScript])
    listing_faults: ModelScript = field(default_factory=lambda: ModelScript("GET /v1/models"))
    complaints: list[str] = field(default_factory=list[str])
    key: str | None = None

    def steps(self, request: Request) -> Iterable[Step]:
        format_ = FORMATS.get(request.path) or (MESSAGES if speaks_anthropic(request) else CHAT)
        try:
            return list(self._route(request, format_))
        except Unscripted as unexpected:
            return self._complain(str(unexpected), 500, request, format_)
        except Exception:  # noqa: BLE001 - the boundary to the test's own functions: their faults fail the test, not the server
            return self._complain(traceback.format_exc(), 500, request, format_)

    def _route(self, request: Request, format_: Format) -> Iterable[Step]:
        if self.key is not None and request.key != self.key:
            return _failure(Failure(fault_of_status(401)), request, format_)
        match request.method, request.path.split("/")[1:]:
            case "POST", _ if request.path in FORMATS:
                return self._generation(request, format_)
            case "GET", ["v1", "models"]:
                return self._listing(request, format_)
            case "GET", ["v1", "models", name]:
                return self._entry(name, request, format_)
            case _:
                return self._complain(f"nobody serves {request.method} {request.path}", 404, request, format_)

    def _generation(self, request: Request, format_: Format) -> Iterable[Step]:
        if objection := format_.objection(request):
            return self._complain(objection, 400, request, format_)
        if request.model not in self.scripts:
            raise Unscripted(f"there is no script for the model {request.model!r}")
        return _rendered(self.scripts[request.model].next_reply(request), request, format_)

    def _listing(self, request: Request, format_: Format) -> Iterable[Step]:
        if self.listing_faults.unused:
            return _rendered(self.listing_faults.next_reply(request), request, format_)
        return _json(200, model_list(list(self.scripts), request), request, format_)

    def _entry(self, name: str, request: Request, format_: Format) -> Iterable[Step]:
        if name in self.scripts:
            return _json(200, model_entry(name, request), request, format_)
        return _failure(Failure(fault_of_status(404, f"The model '{name}' does not exist")), request, format_)

    def _complain(self, what: str, status: int, request: Request, format_: Format) -> Iterable[Step]:
        self.complaints.append(f"request {request.order} ({request.method} {request.path}): {what}")
        return _failure(Failure(fault_of_status(status, what), DO_NOT_RETRY), request, format_)


def _rendered(reply: Reply, request: Request, format_: Format) -> Iterable[Step]:
    match reply:
        case Answer() if request.streaming:
            return stream_plan(
                Head(200, {**EVENT_STREAM, **format_.headers(request)}),
                format_.frames(reply, request),
                reply.delivery,
                lambda fault, sent: format_.error_frames(fault, request, sent),
            )
        case Answer(delivery=delivery) if isinstance(delivery.ending, Breaks):
            return _failure(Failure(delivery.ending.fault), request, format_)
        case Answer():
            body = json_text(format_.body(reply, request)).encode()
            return body_plan(Head(200, {**JSON, **format_.headers(request)}, len(body)), body, reply.delivery)
        case Failure():
            return _failure(reply, request, format_)
        case NoAnswer():
            return [*opening(reply.delivery), Silence() if reply.manner == "silence" else HangUp()]
        case _:
            assert_never(reply)


def _failure(failure: Failure, request: Request, format_: Format) -> Iterator[Step]:
    body = json_text(format_.error_body(failure.fault, request)).encode()
    headers = {**JSON, **format_.headers(request), **failure.headers}
    return body_plan(Head(failure.fault.status, headers, len(body)), body, failure.delivery)


def _json(status: int, value: JsonObject, request: Request, format_: Format) -> Iterable[Step]:
    body = json_text(value).encode()
    return body_plan(Head(status, {**JSON, **format_.headers(request)}, len(body)), body, Answer(()).delivery)
