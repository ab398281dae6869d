"""Paths that stay closed inside every root: secrets, which no model may see, and files that make other programs act."""

import re
from collections.abc import Iterable
from typing import Literal

from quorate.permissions.names import folded

# Each pattern names consecutive parts of a path, anywhere in it, and covers all that lies below.
_SECRETS = (
    # credentials and keys
    ".env",
    ".env.*",
    ".envrc",
    "*.env",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.ppk",
    "*.jks",
    "*.keystore",
    "*.kdbx",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_*_sk",
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".config/gcloud",
    ".docker/config.json",
    ".npmrc",
    ".yarnrc.yml",
    ".pypirc",
    ".netrc",
    "_netrc",
    ".pgpass",
    ".my.cnf",
    ".htpasswd",
    ".git-credentials",
    ".terraform.d/credentials.tfrc.json",
    # the repository's own data, where remotes may carry passwords; the git tools read it instead
    ".git",
    # our configuration, which may hold keys
    ".quorate/config.yaml",
    ".quorate/config.yml",
    "quorate.yaml",
    "quorate.yml",
)
_HARMLESS_EXAMPLES = (".env.example", ".env.sample", ".env.template", ".env.dist", ".env.defaults")
_CONTROL = (
    # ours
    ".quorate",
    # git
    ".gitattributes",
    ".gitmodules",
    ".lfsconfig",
    # editors, which run what these say
    ".vscode",
    ".idea",
    ".zed",
    ".fleet",
    ".devcontainer",
    ".devcontainer.json",
    "*.code-workspace",
    "*.sublime-project",
    ".nvim.lua",
    ".nvimrc",
    ".vimrc",
    ".exrc",
    ".dir-locals.el",
    # hooks and continuous integration
    ".husky",
    ".pre-commit-config.yaml",
    "lefthook.yml",
    ".github/workflows",
    ".github/actions",
    ".gitlab-ci.yml",
    ".gitlab/ci",
    ".circleci",
    ".buildkite",
    ".woodpecker",
    ".woodpecker.yml",
    ".drone.yml",
    ".travis.yml",
    ".cirrus.yml",
    "appveyor.yml",
    ".appveyor.yml",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    "jenkinsfile",
    # what agents are told
    "agents.md",
    "agents.override.md",
    "claude.md",
    "claude.local.md",
    "gemini.md",
    "skill.md",
    ".claude",
    ".codex",
    ".gemini",
    ".cursor",
    ".cursorrules",
    ".windsurf",
    ".windsurfrules",
    ".clinerules",
    ".roo",
    ".roorules",
    ".aider.conf.yml",
    ".mcp.json",
    ".github/copilot-instructions.md",
    ".github/instructions",
)


# A secret is neither read nor written; a control file is read, never written.
Protection = Literal["secret", "control"]


def _matcher(patterns: Iterable[str]) -> re.Pattern[str]:
    expressions = (re.escape(pattern).replace(r"\*", "[^/]*") for pattern in patterns)
    return re.compile("/(?:" + "|".join(expressions) + ")/")


_SECRET_PATH = _matcher(_SECRETS)
_CONTROL_PATH = _matcher(_CONTROL)


def protection_of(parts: tuple[str, ...]) -> Protection | None:
    path = _compared(parts)
    if _SECRET_PATH.search(path):
        return "secret"
    return "control" if _CONTROL_PATH.search(path) else None


def is_secret(parts: tuple[str, ...]) -> bool:
    """All that matters to a reader."""
    return _SECRET_PATH.search(_compared(parts)) is not None


def _compared(parts: tuple[str, ...]) -> str:
    names = [folded(part) for part in parts]
    if names and names[-1] in _HARMLESS_EXAMPLES:
        names.pop()
    return "/" + "/".join(names) + "/"
