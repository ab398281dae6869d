"""What a connection to an MCP server offers, what it is given, and what may go wrong with it.

McpFault                  its text is a clause for the model and the user
├── Disconnected          the server could not be reached, or has gone
│   └── Overrun           it sent more than is taken, and was left
└── CallFailed            the server is there and refused the call
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from teamwright.config.backend_settings import HttpServer, McpServer, StdioServer
from teamwright.config.backends import unset_variables
from teamwright.config.secrets import Secret, is_secret_name
from teamwright.models.masking import Masking
from teamwright.protocol.decisions import ToolTrait

# What every provider accepts as a tool's name.
_LONGEST_NAME: Final = 64
_UNUSABLE: Final = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class ListedTool:
    name: str
    description: str
    schema: Mapping[str, Any]
    traits: tuple[ToolTrait, ...] = ()

    def pin(self, server: McpServer) -> str:
        """The same for the same tool of the same server alone: what a person has decided on."""
        place = [server.command, *server.args] if isinstance(server, StdioServer) else [server.url]
        told = [server.type, place, self.name, self.description, self.schema, self.traits]
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def offered_name(server: str, tool: str) -> str:
    """`server__tool`. Where that cannot be a name, or could be another tool's, a hash keeps it apart."""
    plain = f"{server}__{tool}"
    usable = _UNUSABLE.sub("_", plain)
    if usable == plain and len(plain) <= _LONGEST_NAME and "__" not in server:
        return plain
    mark = hashlib.sha256(f"{server}\0{tool}".encode()).hexdigest()[:6]
    return f"{usable[: _LONGEST_NAME - len(mark) - 1]}_{mark}"


class McpFault(Exception):
    pass


class Disconnected(McpFault):
    pass


class Overrun(Disconnected):
    pass


class CallFailed(McpFault):
    pass


@dataclass(frozen=True, slots=True)
class SecretValues:
    values: Mapping[str, str] = field(repr=False)
    masking: Masking = field(repr=False)

    def redacted(self, text: str) -> str:
        return self.masking(text)

    def described(self, tool: ListedTool) -> ListedTool:
        return replace(
            tool, description=self.masking(tool.description), schema=self.masking.anywhere(dict(tool.schema))
        )


def secret_values(server: McpServer, environ: Mapping[str, str]) -> SecretValues:
    """Raises Disconnected, which names what is not set."""
    values: dict[str, str] = {}
    hidden: list[str] = []
    for name, secret in _secrets(server).items():
        value = secret.resolve(environ)
        if value is None:
            raise Disconnected(unset_variables(secret, environ))
        values[name] = value
        if not secret.is_literal or is_secret_name(name):
            # Of `Bearer …` the words after the first are the secret.
            hidden += [value, *value.split(), *(environ.get(variable, "") for variable in secret.variables)]
    return SecretValues(values, Masking(hidden))


def _secrets(server: McpServer) -> Mapping[str, Secret]:
    match server:
        case StdioServer():
            return server.env
        case HttpServer():
            return server.headers
