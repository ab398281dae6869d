"""The configuration, looked at before anything runs: its faults end the command, its warnings are passed on."""

from collections.abc import Sequence
from dataclasses import dataclass

from quorate.config.load import load
from quorate.config.problems import Problem
from quorate.config.sources import find_sources
from quorate.config.surroundings import Surroundings
from quorate.runtime.premises import Premises


@dataclass(frozen=True, slots=True)
class Preflight:
    faults: Sequence[Problem]
    warnings: Sequence[Problem]


def preflight(premises: Premises) -> Preflight:
    surroundings = Surroundings()
    sources = find_sources(
        explicit=premises.config_path,
        workspace=premises.root,
        trusted=premises.trusted,
        environ=surroundings.environ,
    )
    effective = load(sources.found, workspace=premises.root, find=surroundings.findings)
    return Preflight((*sources.faults, *effective.faults), (*sources.warnings, *effective.warnings))
