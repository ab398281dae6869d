"""`teamwright check`, as a person meets it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Cli

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def problem(line: str, name: str, **extra: Any) -> dict[str, Any]:
    """A message as it is printed, taken apart as `--json` has it. The end of the place is left out."""
    place, path, message = line.split(": ", 2)
    number, column = place.split(":")
    return {
        "file": name,
        "line": int(number),
        "column": int(column),
        "path": "" if path == "(file)" else path,
        "message": message,
        **extra,
    }


@pytest.mark.proves("F3")
def test_every_fault_is_told_at_once_with_its_place_and_what_would_be_right(cli: Cli, home: Path) -> None:
    (home / "team.yaml").write_text(
        """\
agents:
  - id: a
    backend: {type: opnai, model: 4}
  - id: a
    backend: {type: chatcompletion}
orchestrator:
  max_new_answers_per_agent: many
  interactive_mode: {requires_approval: true}
timeout_settings: {round_timeout_grace_seconds: -1}
""",
        encoding="utf-8",
    )
    outcome = cli("check", "team.yaml")
    assert (outcome.code, outcome.err) == (2, "")
    assert outcome.out.splitlines() == [
        "team.yaml: 8 faults",
        "team.yaml:3:21: agents[0].backend.type: unknown backend type 'opnai', did you mean 'openai'?",
        "team.yaml:3:35: agents[0].backend.model: must be text, not 4, put quotes around it",
        "team.yaml:4:9: agents[1].id: two agents are called 'a', the first on line 2, rename one",
        "team.yaml:5:14: agents[1].backend.base_url: is missing, chatcompletion has no address of its own: give one",
        "team.yaml:5:14: agents[1].backend.model: is missing, chatcompletion has no default: name the model to use",
        "team.yaml:7:30: orchestrator.max_new_answers_per_agent: must be a whole number, not 'many'",
        (
            "team.yaml:8:22: orchestrator.interactive_mode.requires_approval: "
            "unknown key, did you mean 'require_approval'?"
        ),
        "team.yaml:9:49: timeout_settings.round_timeout_grace_seconds: must be greater than 0, not -1",
    ]


@pytest.mark.proves("F3")
def test_json_holds_the_same_and_the_team(cli: Cli, home: Path) -> None:
    (home / "bad.yaml").write_text("timeout_settings: {orchestrator_timeout: 5}\n", encoding="utf-8")
    outcome = cli("check", "--json", "bad.yaml")
    assert outcome.code == 2
    fault = "1:20: timeout_settings.orchestrator_timeout: unknown key, did you mean 'orchestrator_timeout_seconds'?"
    assert json.loads(outcome.out) == {
        "ok": False,
        "faults": [problem(fault, "bad.yaml", endLine=1, endColumn=40)],
        "warnings": [],
        "team": None,
        "health": None,
        "reports": [{"files": ["bad.yaml"], "ok": False, "team": None}],
    }

    (home / "good.yaml").write_text("agent: {id: solo, backend: {type: openai}}\n", encoding="utf-8")
    document = json.loads(cli("check", "--json", "good.yaml").out)
    warning = "1:29: agent.backend.type: OPENAI_API_KEY is not set, set this environment variable"
    assert document["warnings"] == [problem(warning, "good.yaml", endLine=1, endColumn=33)]
    assert document["team"] == {
        "reason": "named in good.yaml",
        "lookedFor": [],
        "agents": [
            {
                "id": "solo",
                "type": "openai",
                "model": "gpt-6.1-sol",
                "key": "missing",
                "variables": ["OPENAI_API_KEY"],
                "ready": False,
                "note": "OPENAI_API_KEY is not set, set this environment variable",
            }
        ],
        "assistant": {"sameAs": "solo"},
    }


@pytest.mark.proves("F3")
def test_the_team_is_shown_with_where_each_key_comes_from(cli: Cli, home: Path) -> None:
    program = home / "bin" / ("codex.exe" if os.name == "nt" else "codex")
    program.write_text("", encoding="utf-8")
    program.chmod(0o755)
    (home / "team.yaml").write_text(
        """\
agents:
  - {id: one, backend: {type: gemini}}
  - {id: second, backend: {type: chatcompletion, model: m, base_url: http://127.0.0.1:9/v1}}
  - {id: third, backend: {type: codex}}
orchestrator:
  interactive_mode:
    backend: {type: claude, model: claude-haiku-5-5, api_key: "${MY_KEY}"}
""",
        encoding="utf-8",
    )
    outcome = cli("check", "team.yaml", env={"GOOGLE_API_KEY": "g-secret", "MY_KEY": "m-secret"})
    assert outcome.code == 0
    assert outcome.out.splitlines() == [
        "team.yaml: no faults",
        "Team: named in team.yaml",
        "  one     gemini          gemini-3.8-flash  GOOGLE_API_KEY is set",
        "  second  chatcompletion  m                 no key, http://127.0.0.1:9/v1",
        f"  third   codex           default model     program {program}",
        "Assistant: a model of its own",
        "  assistant  claude  claude-haiku-5-5  MY_KEY is set",
    ]
    assert "secret" not in outcome.out


@pytest.mark.proves("F3")
def test_what_the_machine_lacks_is_a_warning(cli: Cli, home: Path) -> None:
    (home / "team.yaml").write_text(
        """\
agents:
  - id: a
    backend:
      type: claude
      api_key: ${MY_KEY}
      headers: {X-Team: "${TEAM}"}
      mcp_servers: {files: {command: some-server, env: {TOKEN: "${SOME_TOKEN}"}}}
  - {id: b, backend: {type: claude_code}}
  - {id: c, backend: {type: azure_openai, model: m}}
orchestrator: {context_paths: [{path: no/such/directory}]}
""",
        encoding="utf-8",
    )
    outcome = cli("check", "team.yaml")
    assert outcome.code == 0
    assert outcome.out.partition("Team:")[0].splitlines()[1:] == [
        "8 warnings:",
        "team.yaml:5:7: agents[0].backend.api_key: MY_KEY is not set, set this environment variable",
        (
            "team.yaml:5:7: agents[0].backend.api_key: the header X-Team cannot be sent: "
            "TEAM is not set, set this environment variable"
        ),
        (
            "team.yaml:7:29: agents[0].backend.mcp_servers.files.command: "
            "the program some-server is not on the PATH, install it"
        ),
        "team.yaml:7:51: agents[0].backend.mcp_servers.files.env: SOME_TOKEN is not set, set this environment variable",
        "team.yaml:8:23: agents[1].backend.type: the program claude is not on the PATH, install it",
        "team.yaml:9:23: agents[2].backend.type: AZURE_OPENAI_API_KEY is not set, set this environment variable",
        "team.yaml:9:23: agents[2].backend.type: AZURE_OPENAI_ENDPOINT is not set, set it or write base_url",
        "team.yaml:10:39: orchestrator.context_paths[0].path: does not exist, create it or correct the path",
    ]


@pytest.mark.proves("F3")
def test_several_files_are_checked_in_one_call(cli: Cli, home: Path) -> None:
    (home / "good.yaml").write_text("agent: {id: a, backend: {type: offline}}\n", encoding="utf-8")
    (home / "bad.yaml").write_text("- just a list\n", encoding="utf-8")
    outcome = cli("check", "good.yaml", "bad.yaml", "missing.yaml", ".")
    assert outcome.code == 2
    assert [line for line in outcome.out.splitlines() if "yaml:" in line or ".:" in line] == [
        "good.yaml: no faults",
        "bad.yaml: 1 fault",
        "bad.yaml:1:1: (file): the file holds a list, it must be a mapping such as `agents: […]`",
        "missing.yaml: 1 fault",
        "missing.yaml:1:1: (file): cannot be read (no such file or directory), check the path",
        ".: 1 fault",
        ".:1:1: (file): not a plain file, name a YAML file",
    ]


@pytest.mark.proves("C10", "F3")
def test_every_timeout_and_limit_is_checked_before_anything_runs(cli: Cli, home: Path) -> None:
    (home / "limits.yaml").write_text(
        """\
agent: {id: a, backend: {type: offline}}
timeout_settings:
  orchestrator_timeout_seconds: 0
  initial_round_timeout_seconds: soon
  subsequent_round_timeout_seconds: .inf
  round_timeout_grace_seconds: -5
  first_answer_grace_seconds: [1]
  retries: 3
orchestrator:
  max_new_answers_per_agent: 0
  max_new_answers_global: 1.5
  fairness_lead_cap_answers: -1
  fairness_enabled: perhaps
  interactive_mode: {max_steps: 0, max_active_sessions: x, idle_minutes: 0, budget: {usd: -1, tokens: 1.5}}
""",
        encoding="utf-8",
    )
    outcome = cli("check", "limits.yaml")
    assert outcome.code == 2
    messages = [line.split(": ", 1)[1] for line in outcome.out.splitlines()[1:]]
    assert messages == [
        "timeout_settings.orchestrator_timeout_seconds: must be greater than 0, not 0",
        "timeout_settings.initial_round_timeout_seconds: must be a number, not 'soon'",
        "timeout_settings.subsequent_round_timeout_seconds: must be a finite number, not inf",
        "timeout_settings.round_timeout_grace_seconds: must be greater than 0, not -5",
        "timeout_settings.first_answer_grace_seconds: must be a number, not a list",
        (
            "timeout_settings.retries: unknown key, known here are orchestrator_timeout_seconds, "
            "initial_round_timeout_seconds, subsequent_round_timeout_seconds, round_timeout_grace_seconds, "
            "first_answer_grace_seconds"
        ),
        "orchestrator.max_new_answers_per_agent: must be at least 1, not 0",
        "orchestrator.max_new_answers_global: must be a whole number, not 1.5",
        "orchestrator.fairness_lead_cap_answers: must be at least 1, not -1",
        "orchestrator.fairness_enabled: must be true or false, not 'perhaps'",
        "orchestrator.interactive_mode.max_steps: must be at least 1, not 0",
        "orchestrator.interactive_mode.max_active_sessions: must be a whole number, not 'x'",
        "orchestrator.interactive_mode.idle_minutes: must be greater than 0, not 0",
        "orchestrator.interactive_mode.budget.usd: must be greater than 0, not -1",
        "orchestrator.interactive_mode.budget.tokens: must be a whole number, not 1.5",
    ]


@pytest.mark.proves("F5")
def test_a_massgen_file_loads_and_says_what_is_not_supported(cli: Cli, home: Path) -> None:
    (home / "massgen.yaml").write_text(
        """\
agents:
  - id: "first_agent"
    backend:
      type: "gemini"
      model: "gemini-2.5-flash"
      enable_web_search: true
      cwd: "workspace1"
orchestrator:
  snapshot_storage: "snapshots"
  voting_sensitivity: checklist_gated
ui:
  display_type: "rich_terminal"
""",
        encoding="utf-8",
    )
    outcome = cli("check", "massgen.yaml", env={"GEMINI_API_KEY": "x"})
    assert outcome.code == 0
    assert outcome.out.splitlines() == [
        "massgen.yaml: no faults",
        "5 warnings:",
        "massgen.yaml:6:7: agents[0].backend.enable_web_search: not supported, ignored: web search",
        (
            "massgen.yaml:7:7: agents[0].backend.cwd: "
            "not supported, ignored: a directory of its own (agents work in scratch copies)"
        ),
        (
            "massgen.yaml:9:3: orchestrator.snapshot_storage: "
            "not supported, ignored: a directory of its own (agents work in scratch copies)"
        ),
        "massgen.yaml:10:23: orchestrator.voting_sensitivity: 'checklist_gated' is not supported, the default is used",
        "massgen.yaml:11:1: ui: not supported, ignored: terminal display settings",
        "Team: named in massgen.yaml",
        "  first_agent  gemini  gemini-2.5-flash  GEMINI_API_KEY is set",
        "Assistant: the same model as first_agent",
    ]


@pytest.mark.proves("F5")
def test_a_massgen_backend_that_nothing_covers_is_refused_by_name(cli: Cli, home: Path) -> None:
    (home / "massgen.yaml").write_text("agents: [{id: a, backend: {type: copilot, model: m}}]\n", encoding="utf-8")
    outcome = cli("check", "massgen.yaml")
    assert outcome.code == 2
    assert (
        "massgen.yaml:1:34: agents[0].backend.type: backend type 'copilot' is not supported, use one of " in outcome.out
    )


@pytest.mark.proves("F3")
def test_nothing_configured_shows_the_offline_team(cli: Cli) -> None:
    outcome = cli("check")
    assert (outcome.code, outcome.out.splitlines()) == (
        0,
        [
            "No configuration file in force: no faults",
            (
                "Team: no key, no program and no model server was found: the offline team answers "
                "(rule-based analysers, no language model)"
            ),
            "  lint       offline  lint       rule-based, no language model: set a key for one",
            "  security   offline  security   rule-based, no language model: set a key for one",
            "  structure  offline  structure  rule-based, no language model: set a key for one",
            "Assistant: the same model as lint",
            "Looked for:",
            (
                "  keys: none; not found: ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, XAI_API_KEY, "
                "OPENROUTER_API_KEY, DEEPSEEK_API_KEY and 12 more"
            ),
            "  programs: none; not found: claude, codex, gemini",
            "  model servers on this machine: none; not found: ollama, lmstudio, llamacpp, vllm, sglang",
        ],
    )


@pytest.mark.proves("F3")
def test_a_workspace_is_read_only_when_it_is_trusted(cli: Cli, home: Path) -> None:
    project = home / "project"
    project.mkdir()
    (project / "teamwright.yaml").write_text("agent: {id: theirs, backend: {type: offline}}\n", encoding="utf-8")
    user = home / "user.yaml"
    user.write_text("agent: {id: mine, backend: {type: offline}}\n", encoding="utf-8")
    env = {"TEAMWRIGHT_CONFIG": str(user)}

    untrusted = cli("check", "--workspace", project, env=env)
    assert untrusted.code == 0
    assert (
        f"{project / 'teamwright.yaml'}:1:1: (file): not read, trust this workspace to use it; in a terminal: --trusted"
        in untrusted.out
    )
    nowhere = cli("check", "--workspace", project / "nowhere")
    assert (nowhere.code, "is no directory, correct --workspace" in nowhere.out) == (2, True)
    assert "  mine" in untrusted.out

    trusted = cli("check", "--workspace", project, "--trusted", env=env)
    assert trusted.code == 0
    assert "  theirs" in trusted.out
    assert f"Team: named in {project / 'teamwright.yaml'}" in trusted.out


@pytest.mark.proves("F3")
def test_a_trusted_workspace_that_asks_for_too_much_is_narrowed_visibly(cli: Cli, home: Path) -> None:
    theirs = home / "teamwright.yaml"
    theirs.write_text(
        """\
agent: {id: theirs, backend: {type: openai, base_url: "https://evil.example/v1"}}
orchestrator: {interactive_mode: {require_approval: false}}
""",
        encoding="utf-8",
    )
    outcome = cli("check", "--trusted", env={"OPENAI_API_KEY": "x"})
    assert outcome.code == 0
    assert outcome.out.splitlines()[1:4] == [
        "2 warnings:",
        (
            f"{theirs}:2:53: orchestrator.interactive_mode.require_approval: "
            "a workspace may not loosen this, your own setting or the default holds"
        ),
        (
            f"{theirs}:1:45: agent.backend.base_url: a workspace may not choose where prompts and keys go, "
            "https://api.openai.com/v1 is used, "
            "list the address in trusted_base_urls of your own configuration to allow it"
        ),
    ]


@pytest.mark.proves("F3")
def test_a_value_of_ten_megabytes_is_refused(cli: Cli, home: Path) -> None:
    (home / "huge.yaml").write_text("a: " + "x" * 10_000_000, encoding="utf-8")
    outcome = cli("check", "huge.yaml")
    assert outcome.code == 2
    assert outcome.out.splitlines()[1] == ("huge.yaml:1:1: (file): the file is larger than 256 KiB, make it smaller")


@pytest.mark.proves("F3")
def test_a_secret_in_a_file_is_warned_of_and_never_shown(cli: Cli, home: Path) -> None:
    (home / "team.yaml").write_text(
        """\
agents:
  - id: a
    backend:
      type: openai
      api_key: sk-very-secret-1
      headers: {Authorization: Bearer sk-very-secret-2}
      mcp_servers: {s: {command: x, env: {MY_TOKEN: sk-very-secret-3}}}
      apikey: sk-very-secret-4
""",
        encoding="utf-8",
    )
    for arguments in (("check", "team.yaml"), ("check", "--json", "team.yaml")):
        outcome = cli(*arguments)
        assert outcome.code == 0
        assert "very-secret" not in outcome.out + outcome.err
        assert outcome.out.count("a secret stands in the file itself") == 3

    (home / "wrong.yaml").write_text(
        "agents: sk-very-secret-sk-very-secret-5\nmcp_servers: {s: {command: x, env: sk-very-secret-6}}\n",
        encoding="utf-8",
    )
    wrong = cli("check", "wrong.yaml")
    assert wrong.code == 2
    assert "very-secret" not in wrong.out + wrong.err


@pytest.mark.proves("F3")
def test_a_console_without_utf8_gets_escapes_instead_of_a_crash(cli: Cli, home: Path) -> None:
    (home / "team.yaml").write_text("agents: [{id: é, backend: {type: ☃}}]\n", encoding="utf-8")
    outcome = cli("check", "team.yaml", env={"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"})
    assert outcome.code == 2
    assert "unknown backend type '\\u2603'" in outcome.out
    assert "Traceback" not in outcome.err


@pytest.mark.proves("F3")
@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.yaml")))
def test_every_example_lacks_nothing_but_keys(cli: Cli, name: str) -> None:
    outcome = cli("check", "--json", EXAMPLES / name)
    document = json.loads(outcome.out)
    assert (outcome.code, document["faults"]) == (0, [])
    assert [w["message"] for w in document["warnings"] if "set this environment variable" not in w["message"]] == []

    keys = {
        variable: "x"
        for member in (*document["team"]["agents"], document["team"]["assistant"])
        for variable in member.get("variables", ())
    }
    assert json.loads(cli("check", "--json", EXAMPLES / name, env=keys).out)["warnings"] == []


def test_there_are_examples() -> None:
    assert {path.name for path in EXAMPLES.glob("*.yaml")} >= {
        "basic_interactive.yaml",
        "code_review.yaml",
        "local_models.yaml",
    }
