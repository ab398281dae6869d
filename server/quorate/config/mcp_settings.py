"""MCP servers whose tools agents and assistant may use."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from quorate.config.secrets import Secret
from quorate.config.section import HeaderName, Section, Text, Url, VariableName, Word


class _Server(Section):
    name: Text = Field(description="The server's name, unique in its list. In a mapping of servers it is the key.")
    allowed_tools: tuple[str, ...] | None = Field(
        default=None, description="Only these tools of the server may be called. Unset: all of them."
    )
    exclude_tools: tuple[str, ...] = Field(default=(), description="These tools of the server may not be called.")


class StdioServer(_Server):
    type: Literal["stdio"] = Field(default="stdio", description="The server is a program that we start.")
    command: Text = Field(description="The program to start.")
    args: tuple[Word, ...] = Field(default=(), description="The program's arguments.")
    env: dict[VariableName, Secret] = Field(
        default={}, description="Environment variables for the program. ${NAME} stands for a variable of yours."
    )


class HttpServer(_Server):
    type: Literal["streamable-http", "http"] = Field(description="The server is reached over HTTP.")
    url: Url = Field(description="The server's address.")
    headers: dict[HeaderName, Secret] = Field(
        default={}, description="HTTP headers for each request. ${NAME} stands for an environment variable."
    )


McpServer: TypeAlias = Annotated[StdioServer | HttpServer, Field(discriminator="type")]
