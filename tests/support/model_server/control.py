"""The door for tests in other processes: what was received, and the gates. Not part of any provider's API."""

from collections.abc import Callable, Iterable, Sequence
from urllib.parse import unquote

from tests.support.model_server.delivery import Head, Send, Step, Wait
from tests.support.model_server.frames import JsonObject, json_text
from tests.support.model_server.request import Request
from tests.support.model_server.waiting import Gate

NO_CONTENT = Head(204, {}, 0)


def control_steps(request: Request, requests: Sequence[Request], gate: Callable[[str], Gate]) -> Iterable[Step]:
    match request.method, [unquote(part) for part in request.path.split("/")[2:]]:
        case "GET", ["requests"]:
            body = json_text([_record(each) for each in requests]).encode()
            return [Head(200, {"content-type": "application/json"}, len(body)), Send(body)]
        case "POST", ["gates", name, "release"]:
            gate(name).release()
            return [NO_CONTENT]
        case "GET", ["gates", name, "reached"]:
            return [Wait(gate(name).reached), NO_CONTENT]
        case "GET", ["gates", name, "passage"]:
            return [Wait(gate(name).passage), NO_CONTENT]
        case _:
            return [Head(404, {}, 0)]


def _record(request: Request) -> JsonObject:
    return {
        "order": request.order,
        "method": request.method,
        "path": request.path,
        "headers": dict(request.headers),
        "body": request.body,
        "clientLeft": request.client_left,
    }
