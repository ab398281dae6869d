"""The team that is found where no file names one."""

import pytest

from teamwright.config.discovery import Findings, ModelServer, choose_team
from teamwright.config.surroundings import Surroundings

OLLAMA = ModelServer("ollama", "http://127.0.0.1:11434/v1", "qwen3")
LM_STUDIO = ModelServer("lmstudio", "http://127.0.0.1:1234/v1", "gpt-oss")


@pytest.mark.parametrize(
    ("findings", "team", "reason"),
    [
        (
            Findings(),
            ["lint", "security", "structure"],
            (
                "no key, no program and no model server was found: the offline team answers "
                "(rule-based analysers, no language model)"
            ),
        ),
        (
            Findings(variables=frozenset({"ANTHROPIC_API_KEY", "HF_TOKEN", "PATH"})),
            ["claude"],
            "found on this machine: ANTHROPIC_API_KEY for claude",
        ),
        (
            Findings(variables=frozenset({"XAI_API_KEY", "GOOGLE_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"})),
            ["claude", "openai", "gemini"],
            "found on this machine: ANTHROPIC_API_KEY for claude, OPENAI_API_KEY for openai, GOOGLE_API_KEY for gemini",
        ),
        (
            Findings(
                variables=frozenset({"ANTHROPIC_API_KEY"}), programs=frozenset({"claude", "codex"}), servers=(OLLAMA,)
            ),
            ["claude", "codex", "ollama"],
            (
                "found on this machine: ANTHROPIC_API_KEY for claude, the program codex for codex, "
                "ollama at http://127.0.0.1:11434/v1"
            ),
        ),
        (
            Findings(servers=(OLLAMA, ModelServer("ollama", "http://127.0.0.1:11434/v1", "other"), LM_STUDIO)),
            ["ollama", "lmstudio"],
            "found on this machine: ollama at http://127.0.0.1:11434/v1, lmstudio at http://127.0.0.1:1234/v1",
        ),
    ],
)
def test_the_team_is_up_to_three_of_different_makers(findings: Findings, team: list[str], reason: str) -> None:
    chosen = choose_team(findings)
    assert ([agent.id for agent in chosen.agents], chosen.reason) == (team, reason)


def test_a_found_server_is_used_with_the_model_it_offers() -> None:
    (agent,) = choose_team(Findings(servers=(OLLAMA,))).agents
    assert (agent.backend.type, agent.backend.model, agent.backend.base_url) == (
        "ollama",
        "qwen3",
        "http://127.0.0.1:11434/v1",
    )


def test_the_offline_team_names_its_analysers() -> None:
    assert [(agent.id, agent.backend.type, agent.backend.model) for agent in choose_team(Findings()).agents] == [
        ("lint", "offline", "lint"),
        ("security", "offline", "security"),
        ("structure", "offline", "structure"),
    ]


def test_an_empty_variable_is_none_and_only_known_programs_are_looked_for() -> None:
    looked_for: list[str] = []

    def find(program: str) -> str | None:
        looked_for.append(program)
        return f"/bin/{program}" if program == "gemini" else None

    findings = Surroundings({"OPENAI_API_KEY": "", "GROQ_API_KEY": "x"}, find).findings()
    assert findings == Findings(variables=frozenset({"GROQ_API_KEY"}), programs=frozenset({"gemini"}))
    assert sorted(looked_for) == ["claude", "codex", "gemini"]
