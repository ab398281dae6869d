"""What can go wrong with an MCP server.

McpFault                  its text is a clause for the model and the user
├── Disconnected          the server could not be reached, or has gone
└── CallFailed            the server is there and refused the call
"""


class McpFault(Exception):
    pass


class Disconnected(McpFault):
    pass


class CallFailed(McpFault):
    pass
