"""Checks that a workspace's configuration names: proposals beside the user's own, never in their place."""

from collections.abc import Iterator

from teamwright.config.check_settings import CheckSettings, ProposedCheckSettings
from teamwright.config.nodes import ListNode, MapNode, descend, maps_in, problem_at, replaced
from teamwright.config.problems import Problem
from teamwright.config.settings import Settings

_TOOLCHAINS = ("commands", "toolchains")


def narrowed_checks(tree: MapNode, asked: Settings, own: Settings) -> tuple[MapNode, list[Problem]]:
    """The tree without what only the user's own file may say about what is run."""
    warnings = [
        entry.problem_at_key("needs", "only your own configuration can open closed files, ignored")
        for entry in maps_in(tree.get("checks"))
        if "needs" in entry.entries
    ]
    taken = {check.name for check in own.checks}
    if isinstance(listed := tree.get("checks"), ListNode):
        warnings += [
            problem_at(node, f"your own configuration has a check called '{check.name}', which holds; ignored")
            for node, check in zip(listed.items, asked.checks, strict=True)
            if check.name in taken
        ]
    if (toolchains := descend(tree, *_TOOLCHAINS)) is not None:
        warnings.append(problem_at(toolchains, "only your own configuration can name toolchains, ignored"))
        tree = replaced(tree, _TOOLCHAINS, None)
    return tree.without("checks"), warnings


def proposed_checks(asked: Settings, own: Settings) -> Iterator[CheckSettings]:
    """Those of a workspace's file that go beside the user's own."""
    taken = {check.name for check in own.checks}
    for check in asked.checks:
        if check.name not in taken:
            yield ProposedCheckSettings.model_validate({**dict(check), "needs": ()})
