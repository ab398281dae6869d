"""Which providers there are: one table, and how a type, an address and a key belong together."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias
from urllib.parse import urlsplit

ApiKind: TypeAlias = Literal["openai_responses", "openai_chat", "anthropic"]
BackendKind: TypeAlias = ApiKind | Literal["cli", "offline"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    kind: BackendKind
    maker: str
    """Whose models these are: a discovered team takes one of each maker."""
    base_url: str | None = None
    base_url_variable: str | None = None
    key_variables: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    """Hosts under these domains are this provider, whatever type a file gives them."""
    model: str | None = None
    needs_model: bool = True
    program: str | None = None


def _hosted(
    base_url: str,
    *key_variables: str,
    model: str | None = None,
    maker: str | None = None,
    domains: tuple[str, ...] = (),
) -> Preset:
    host = urlsplit(base_url).hostname or ""
    return Preset(
        kind="openai_chat",
        maker=maker or host,
        base_url=base_url,
        key_variables=key_variables,
        domains=domains or (host,),
        model=model,
    )


def _local(port: int) -> Preset:
    return Preset(kind="openai_chat", maker="local", base_url=f"http://127.0.0.1:{port}/v1")


def _program(name: str, maker: str) -> Preset:
    return Preset(kind="cli", maker=maker, program=name, needs_model=False)


_CLAUDE: Final = Preset(
    kind="anthropic",
    maker="anthropic",
    base_url="https://api.anthropic.com",
    key_variables=("ANTHROPIC_API_KEY",),
    domains=("api.anthropic.com",),
    model="claude-sonnet-5-5",
)

PRESETS: Final[Mapping[str, Preset]] = MappingProxyType(
    {
        "claude": _CLAUDE,
        "anthropic": _CLAUDE,
        "openai": Preset(
            kind="openai_responses",
            maker="openai",
            base_url="https://api.openai.com/v1",
            key_variables=("OPENAI_API_KEY",),
            domains=("api.openai.com",),
            model="gpt-6.1-sol",
        ),
        "gemini": _hosted(
            "https://generativelanguage.googleapis.com/v1beta/openai",
            "GEMINI_API_KEY",
            "GOOGLE_API_KEY",
            model="gemini-3.8-flash",
            maker="google",
        ),
        "grok": _hosted("https://api.x.ai/v1", "XAI_API_KEY", model="grok-4.7"),
        "openrouter": _hosted(
            "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", model="anthropic/claude-sonnet-5.5"
        ),
        "deepseek": _hosted("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY", model="deepseek-v4-pro"),
        "mistral": _hosted("https://api.mistral.ai/v1", "MISTRAL_API_KEY", model="mistral-large-4"),
        "groq": _hosted(
            "https://api.groq.com/openai/v1", "GROQ_API_KEY", model="openai/gpt-oss-120b", domains=("groq.com",)
        ),
        "cerebras": _hosted(
            "https://api.cerebras.ai/v1", "CEREBRAS_API_KEY", model="gpt-oss-120b", domains=("cerebras.ai",)
        ),
        "together": _hosted(
            "https://api.together.xyz/v1",
            "TOGETHER_API_KEY",
            model="moonshotai/Kimi-K3",
            domains=("together.xyz", "together.ai"),
        ),
        "fireworks": _hosted(
            "https://api.fireworks.ai/inference/v1",
            "FIREWORKS_API_KEY",
            model="accounts/fireworks/models/kimi-k3",
            domains=("fireworks.ai",),
        ),
        "moonshot": _hosted(
            "https://api.moonshot.ai/v1",
            "MOONSHOT_API_KEY",
            "KIMI_API_KEY",
            model="kimi-k3",
            domains=("moonshot.ai", "moonshot.cn"),
        ),
        "zai": _hosted(
            "https://api.z.ai/api/paas/v4", "ZAI_API_KEY", model="GLM-5.3", domains=("api.z.ai", "bigmodel.cn")
        ),
        "qwen": _hosted(
            "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
            "QWEN_API_KEY",
            "DASHSCOPE_API_KEY",
            domains=("aliyuncs.com",),
        ),
        "nebius": _hosted(
            "https://api.tokenfactory.nebius.com/v1", "NEBIUS_API_KEY", domains=("nebius.com", "nebius.ai")
        ),
        "poe": _hosted("https://api.poe.com/v1", "POE_API_KEY", domains=("poe.com",)),
        "huggingface": _hosted("https://router.huggingface.co/v1", "HF_TOKEN", domains=("huggingface.co",)),
        "azure_openai": Preset(
            kind="openai_chat",
            maker="azure",
            base_url_variable="AZURE_OPENAI_ENDPOINT",
            key_variables=("AZURE_OPENAI_API_KEY",),
            domains=("openai.azure.com", "services.ai.azure.com"),
        ),
        "chatcompletion": Preset(kind="openai_chat", maker="custom"),
        "ollama": _local(11434),
        "lmstudio": _local(1234),
        "llamacpp": _local(8080),
        "vllm": _local(8000),
        "sglang": _local(30000),
        "claude_code": _program("claude", "anthropic"),
        "codex": _program("codex", "openai"),
        "gemini_cli": _program("gemini", "google"),
        "offline": Preset(kind="offline", maker="teamwright", needs_model=False),
    }
)


def provider_of(base_url: str) -> Preset | None:
    """Whose address this is, if it is anyone's that we know."""
    host = (urlsplit(base_url).hostname or "").lower()
    for preset in PRESETS.values():
        if any(host == domain or host.endswith("." + domain) for domain in preset.domains):
            return preset
    return None
