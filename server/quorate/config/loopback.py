"""Model servers on this machine, asked side by side what they have. No other machine is ever contacted."""

import ipaddress
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from typing import Final
from urllib.parse import urlsplit

from pydantic import BaseModel

from quorate.config.discovery import ModelServer
from quorate.config.presets import PRESETS

SECONDS: Final = 0.3
_LONGEST_LIST: Final = 1_000_000
# Models that give numbers for a text, not an answer.
_NOT_FOR_CHAT: Final = ("embed", "rerank", "whisper", "tts")


class _Entry(BaseModel):
    id: str


class _Listed(BaseModel):
    data: list[_Entry]


def local_addresses(environ: Mapping[str, str]) -> dict[str, str]:
    """Where each kind of model server listens by itself; Ollama's own variable may name another port."""
    addresses = {name: preset.base_url for name, preset in PRESETS.items() if preset.maker == "local"}
    if told := _ollama_address(environ.get("OLLAMA_HOST", "")):
        addresses["ollama"] = told
    return {name: address for name, address in addresses.items() if address is not None}


def answering_servers(addresses: Mapping[str, str]) -> tuple[ModelServer, ...]:
    """Those that list a model to talk to within the deadline, in the order of the addresses."""
    pool = ThreadPoolExecutor(max_workers=max(1, len(addresses)), thread_name_prefix="loopback")
    asked = {name: pool.submit(_first_model, address) for name, address in addresses.items()}
    done, _ = wait(asked.values(), timeout=SECONDS)
    pool.shutdown(wait=False, cancel_futures=True)
    found = ((name, future.result()) for name, future in asked.items() if future in done)
    return tuple(ModelServer(name, addresses[name], model) for name, model in found if model is not None)


def _first_model(address: str) -> str | None:
    parts = urlsplit(address)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=SECONDS)
    try:
        connection.request("GET", f"{parts.path}/models", headers={"Accept": "application/json"})
        response = connection.getresponse()
        return (
            _chat_model(_Listed.model_validate_json(response.read(_LONGEST_LIST))) if response.status == 200 else None
        )
    except (OSError, HTTPException, ValueError):
        # Nobody there, or somebody who is no model server.
        return None
    finally:
        connection.close()


def _chat_model(listed: _Listed) -> str | None:
    names = (entry.id for entry in listed.data)
    return next((name for name in names if not any(part in name.lower() for part in _NOT_FOR_CHAT)), None)


def _ollama_address(told: str) -> str | None:
    if not told.strip():
        return None
    with suppress(ValueError):
        parts = urlsplit(told if "//" in told else f"//{told}")
        if (host := _loopback(parts.hostname or "")) is not None:
            return f"http://{host}:{parts.port or 11434}/v1"
    return None


def _loopback(host: str) -> str | None:
    """How to reach the host if it is this machine. A server that listens everywhere listens here, too."""
    if host in {"", "localhost", "0.0.0.0"}:  # noqa: S104 - compared, not listened on
        return "127.0.0.1"
    with suppress(ValueError):
        address = ipaddress.ip_address(host)
        if address.is_loopback:
            return f"[{host}]" if address.version == 6 else host
    return None
