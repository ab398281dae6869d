"""What a backend in a file comes down to: which wire, which address, whose key."""

from typing import Any

import pytest
from genai_prices.data_snapshot import get_snapshot

from teamwright.config.backend_settings import BackendSettings
from teamwright.config.backends import ApiBackend, CliBackend, OfflineBackend, missing_parts, resolve_backend
from teamwright.config.presets import PRESETS


@pytest.mark.parametrize(
    ("written", "kind", "base_url", "variables", "needed"),
    [
        ({"type": "openai"}, "openai_responses", "https://api.openai.com/v1", ("OPENAI_API_KEY",), True),
        (
            {"type": "openai", "base_url": "http://127.0.0.1:1/v1"},
            "openai_chat",
            "http://127.0.0.1:1/v1",
            ("OPENAI_API_KEY",),
            False,
        ),
        ({"type": "claude"}, "anthropic", "https://api.anthropic.com", ("ANTHROPIC_API_KEY",), True),
        ({"type": "anthropic"}, "anthropic", "https://api.anthropic.com", ("ANTHROPIC_API_KEY",), True),
        (
            {"type": "gemini"},
            "openai_chat",
            "https://generativelanguage.googleapis.com/v1beta/openai",
            ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
            True,
        ),
        (
            {"type": "chatcompletion", "base_url": "https://openrouter.ai/api/v1"},
            "openai_chat",
            "https://openrouter.ai/api/v1",
            ("OPENROUTER_API_KEY",),
            True,
        ),
        ({"type": "chatcompletion", "base_url": "https://host/v1"}, "openai_chat", "https://host/v1", (), False),
        (
            {"type": "groq", "api_key": "${MINE}"},
            "openai_chat",
            "https://api.groq.com/openai/v1",
            ("MINE",),
            True,
        ),
        ({"type": "ollama"}, "openai_chat", "http://127.0.0.1:11434/v1", (), False),
        (
            {"type": "azure_openai"},
            "openai_chat",
            "https://me.openai.azure.com/openai/v1",
            ("AZURE_OPENAI_API_KEY",),
            True,
        ),
    ],
)
def test_a_provider_has_its_wire_address_and_key(
    written: dict[str, Any], kind: str, base_url: str, variables: tuple[str, ...], needed: bool
) -> None:
    settings = BackendSettings.model_validate({"model": "m", **written})
    backend = resolve_backend(settings, {"AZURE_OPENAI_ENDPOINT": "https://me.openai.azure.com/"})
    assert isinstance(backend, ApiBackend)
    assert (backend.kind, backend.model, backend.base_url) == (kind, "m", base_url)
    assert (backend.key.variables if backend.key else (), backend.key_needed) == (variables, needed)


def test_programs_and_analysers_need_no_address() -> None:
    codex = BackendSettings(type="codex")
    mine = BackendSettings(type="claude_code", program="/opt/claude", model="opus")
    assert resolve_backend(codex, {}) == CliBackend("codex", None, codex)
    assert resolve_backend(mine, {}) == CliBackend("/opt/claude", "opus", mine)
    assert resolve_backend(BackendSettings(type="offline", model="lint"), {}) == OfflineBackend("lint")


def test_what_is_missing_is_said_in_sentences() -> None:
    gemini = resolve_backend(BackendSettings(type="gemini"), {})
    assert list(missing_parts(gemini, {}, lambda _: None)) == [
        "GEMINI_API_KEY or GOOGLE_API_KEY is not set, set this environment variable"
    ]
    assert list(missing_parts(gemini, {"GOOGLE_API_KEY": "x"}, lambda _: None)) == []
    program = resolve_backend(BackendSettings(type="gemini_cli"), {})
    assert list(missing_parts(program, {}, lambda _: None)) == ["the program gemini is not on the PATH, install it"]
    assert list(missing_parts(program, {}, lambda name: f"/bin/{name}")) == []


def test_every_default_model_is_one_that_its_provider_offers() -> None:
    """By the price list's word: a default that is gone would fail on every new machine."""
    offered = {
        provider.id: [model for model in provider.models if not model.deprecated]
        for provider in get_snapshot().providers
    }
    ids = {
        "claude": "anthropic",
        "anthropic": "anthropic",
        "gemini": "google",
        "grok": "x-ai",
        "moonshot": "moonshotai",
    }
    unknown = [
        name
        for name, preset in PRESETS.items()
        if preset.model and not any(model.is_match(preset.model) for model in offered[ids.get(name, name)])
    ]
    assert unknown == []
