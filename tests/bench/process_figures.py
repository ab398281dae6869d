"""What a process has used, as the system tells it."""

import os
from pathlib import Path

_TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


def cpu_seconds(process_id: int) -> float:
    """With its threads, so far."""
    fields = Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_A_SECOND


def main_thread_seconds(process_id: int) -> float:
    """Of CPU so far, to the nanosecond."""
    spent = Path(f"/proc/{process_id}/task/{process_id}/schedstat").read_text(encoding="utf-8")
    return int(spent.split()[0]) / 1e9


def megabytes(process_id: int, figure: str = "VmRSS") -> float:
    status = Path(f"/proc/{process_id}/status").read_text(encoding="utf-8")
    (line,) = (line for line in status.splitlines() if line.startswith(f"{figure}:"))
    return int(line.split()[1]) / 1024
