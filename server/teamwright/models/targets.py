"""What a configured backend comes down to for an adapter. The only module that reads both vocabularies."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from teamwright.config.backends import ApiBackend, CliBackend
from teamwright.models.adapter import Generation
from teamwright.models.cost import ConfiguredPrice, ModelFacts
from teamwright.models.errors import ModelError
from teamwright.models.faults import Target
from teamwright.models.http.chat_request import ChatDialect

_LABELS: Final[Mapping[str, str]] = {
    "anthropic": "Anthropic",
    "azure_openai": "Azure OpenAI",
    "claude": "Anthropic",
    "claude_code": "Claude Code",
    "codex": "Codex CLI",
    "deepseek": "DeepSeek",
    "gemini_cli": "Gemini CLI",
    "huggingface": "Hugging Face",
    "llamacpp": "llama.cpp",
    "lmstudio": "LM Studio",
    "openai": "OpenAI",
    "openrouter": "OpenRouter",
    "sglang": "SGLang",
    "vllm": "vLLM",
    "zai": "Z.ai",
}
ANTHROPIC_HOST: Final = "api.anthropic.com"
OPENAI_HOST: Final = "api.openai.com"
_LOOPBACK: Final = {"127.0.0.1", "localhost", "::1"}


@dataclass(frozen=True, slots=True)
class Endpoint:
    base_url: str
    key: str = field(default="", repr=False)
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    @property
    def host(self) -> str:
        """With its port, without credentials."""
        return urlsplit(self.base_url).netloc.rpartition("@")[2]

    @property
    def is_anthropic(self) -> bool:
        return urlsplit(self.base_url).hostname == ANTHROPIC_HOST

    @property
    def is_openai(self) -> bool:
        return urlsplit(self.base_url).hostname == OPENAI_HOST

    @property
    def is_local(self) -> bool:
        return urlsplit(self.base_url).hostname in _LOOPBACK


def label_of(backend_type: str) -> str:
    return _LABELS.get(backend_type, backend_type.capitalize())


def target_of(backend: ApiBackend | CliBackend) -> Target:
    settings = backend.settings
    match backend:
        case ApiBackend():
            endpoint = Endpoint(backend.base_url or "")
            return Target(
                provider=endpoint.host if settings.type == "chatcompletion" else label_of(settings.type),
                model=backend.model,
                give_a_key=_give_a_key(backend),
                host=endpoint.host,
                is_local=endpoint.is_local,
            )
        case CliBackend():
            return Target(
                provider=label_of(settings.type),
                model=backend.model or "its default model",
                give_a_key=f"run `{backend.program}` in a terminal and sign in",
            )


def _give_a_key(backend: ApiBackend) -> str:
    variables = backend.key.variables if backend.key else ()
    return f"set {' or '.join(variables) or 'api_key of this backend'} to a valid key"


def endpoint_of(backend: ApiBackend, environ: Mapping[str, str]) -> Endpoint:
    """Raises ModelError where the environment lacks what the backend needs."""
    target = target_of(backend)
    if backend.base_url is None:
        raise ModelError("bad_request", f"{target.provider} has no address: set base_url of this backend.")
    key = backend.key.resolve(environ) if backend.key else None
    # Whoever pastes a key often pastes the line's end with it.
    key = (key or "").strip() or None
    if key is None and backend.key_needed:
        raise ModelError("bad_key", f"{target.provider} needs a key: {target.give_a_key}.")
    if key is not None and not _can_be_sent(key):
        raise ModelError("bad_key", f"The key for {target.provider} holds what no key does: {target.give_a_key}.")
    headers: list[tuple[str, str]] = []
    for name, secret in backend.settings.headers.items():
        value = secret.resolve(environ)
        if value is None:
            raise ModelError("bad_key", f"The header {name} for {target.provider} is not set: set {secret}.")
        if not _can_be_sent(value):
            raise ModelError("bad_key", f"The header {name} for {target.provider} cannot be sent: correct {secret}.")
        headers.append((name, value))
    return Endpoint(backend.base_url, key or "", tuple(headers))


def _can_be_sent(value: str) -> bool:
    """In a header of a request."""
    return value.isascii() and value.isprintable()


def generation_of(backend: ApiBackend | CliBackend) -> Generation:
    settings = backend.settings
    return Generation(
        model=backend.model or "",
        temperature=settings.temperature,
        max_output_tokens=settings.max_tokens,
        effort=settings.reasoning.effort if settings.reasoning else None,
        summary=settings.reasoning.summary if settings.reasoning else None,
    )


def facts_of(backend: ApiBackend | CliBackend) -> ModelFacts:
    window, price = backend.settings.context_window, _price_of(backend)
    match backend:
        case ApiBackend(model=model, base_url=base_url):
            local = Endpoint(base_url or "").is_local
            return ModelFacts(model, None if local else base_url, window, price, is_local=local)
        case CliBackend(model=model):
            return ModelFacts(model or "", None, window, price)


def _price_of(backend: ApiBackend | CliBackend) -> ConfiguredPrice | None:
    price = backend.settings.price
    return price and ConfiguredPrice(price.input_per_mtok, price.output_per_mtok, price.cached_per_mtok)


def dialect_of(backend: ApiBackend) -> ChatDialect:
    type_ = backend.settings.type
    is_openai = type_ == "azure_openai" or Endpoint(backend.base_url or "").is_openai
    return ChatDialect(
        limit_field="max_completion_tokens" if is_openai else "max_tokens",
        # It reports usage unasked, and refuses fields that it does not know.
        asks_for_usage=type_ != "mistral",
    )
