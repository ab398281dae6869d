"""The assistant's system prompt. The same inputs give the same bytes; what changes by the minute stands elsewhere."""

from dataclasses import dataclass
from typing import Final

from quorate.prompts.assistant.conduct import CONDUCT, FILES, PLANNING
from quorate.prompts.assistant.given import (
    GivenText,
    NamedProject,
    Skill,
    appended_section,
    instructions_section,
    memory_section,
    project_section,
    skills_section,
)
from quorate.prompts.assistant.team import RunPolicy, TeamMember, team_section

LONGEST_GIVEN_TEXT: Final = 24_000
_USUAL_POLICY: Final = RunPolicy()


@dataclass(frozen=True, slots=True)
class AssistantBrief:
    """What the prompt is made of. `longest_given_text` bounds each file that is quoted in it."""

    team: tuple[TeamMember, ...]
    policy: RunPolicy = _USUAL_POLICY
    skills: tuple[Skill, ...] = ()
    memory: tuple[GivenText, ...] = ()
    project: str | None = None
    other_projects: tuple[NamedProject, ...] = ()
    instructions: tuple[GivenText, ...] = ()
    appended: str = ""
    longest_given_text: int = LONGEST_GIVEN_TEXT


def assistant_prompt(brief: AssistantBrief) -> str:
    sections = (
        CONDUCT,
        team_section(brief.team, brief.policy),
        PLANNING,
        FILES,
        skills_section(brief.skills),
        memory_section(brief.memory, brief.longest_given_text),
        project_section(brief.project, brief.other_projects),
        instructions_section(brief.instructions, brief.longest_given_text),
        appended_section(brief.appended),
    )
    return "\n\n".join(section for section in sections if section)
