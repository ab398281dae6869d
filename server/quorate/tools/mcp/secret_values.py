"""The environment or headers that the configuration gives a server, and keeping them out of every text. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from quorate.config.backends import unset_variables
from quorate.config.mcp_settings import HttpServer, McpServer, StdioServer
from quorate.config.secrets import Secret, is_secret_name
from quorate.tools.mcp.faults import Disconnected

# What is shorter stands in texts by chance.
_SHORTEST_SECRET: Final = 5


@dataclass(frozen=True, slots=True)
class SecretValues:
    values: Mapping[str, str] = field(repr=False)
    hidden: tuple[str, ...] = field(repr=False)

    def redacted(self, text: str) -> str:
        for value in self.hidden:
            text = text.replace(value, "***")
        return text


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
            hidden += [value, *(environ.get(variable, "") for variable in secret.variables)]
    return SecretValues(values, tuple(value for value in hidden if len(value) >= _SHORTEST_SECRET))


def _secrets(server: McpServer) -> Mapping[str, Secret]:
    match server:
        case StdioServer():
            return server.env
        case HttpServer():
            return server.headers
