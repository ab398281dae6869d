"""What a handler works with: the runtime, and the client it answers."""

from dataclasses import dataclass

from quorate.lsp.outbound import Outbound
from quorate.runtime.supervisor import Supervisor


@dataclass(frozen=True, slots=True)
class Desk:
    supervisor: Supervisor
    client: Outbound
