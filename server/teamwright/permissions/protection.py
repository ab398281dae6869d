"""Files that are closed inside every root, or open only to a person's own yes. The lists stand here and nowhere else.

Three of them, each entry under the reason that it is there for: *secrets* are neither read nor written; *never* is
read, and not written by anybody's leave; *always ask* is written, but by no policy: a person has looked at it first.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from teamwright.permissions.names import folded

# A pattern names consecutive parts of a path, anywhere in it, in small letters; `*` stands for any part of a name. In
# secrets and never it covers all that lies below; in always-ask only with a slash at its end, because what a build is
# called in one language is a folder's name in another.
# A secret's pattern names two parts at most.
_SECRETS: Mapping[str, tuple[str, ...]] = {
    "credentials of a program": (
        ".env", ".env.*", ".envrc", "*.env", ".npmrc", ".yarnrc.yml", ".pypirc", ".netrc", "_netrc", ".pgpass",
        ".my.cnf", ".mylogin.cnf", ".htpasswd", ".git-credentials", "git/credentials", ".vault-token",
        ".terraform.d/credentials.tfrc.json", ".terraformrc", "terraform.rc", ".cargo/credentials",
        ".cargo/credentials.toml", ".gem/credentials", ".m2/settings-security.xml", ".s3cfg", ".boto", ".dockercfg",
        ".docker/config.json", "containers/auth.json", "gh/hosts.yml", ".config/hub",
        ".config/glab-cli",
        ".config/gcloud", ".config/op", ".config/doctl", ".config/heroku", ".config/stripe", ".aws", ".azure", ".kube",
        ".oci", ".databrickscfg", ".fly", ".wrangler", ".netlify/config.json", ".huggingface/token",
        "huggingface/token", ".claude/.credentials.json", ".claude.json", ".codex/auth.json",
        ".gemini/oauth_creds.json", ".rclone.conf", ".config/rclone", ".smbcredentials", ".muttrc", ".msmtprc",
        ".fetchmailrc", ".authinfo", ".authinfo.gpg", ".cdsapirc", ".kaggle",
    ),
    "a private key": (
        "*.pem", "*.key", "*.p12", "*.pfx", "*.ppk", "*.jks", "*.keystore", "*.kdbx", "id_rsa", "id_dsa", "id_ecdsa",
        "id_ed25519", "id_*_sk", ".ssh", ".gnupg", "*.agekey", ".age", ".sops", ".password-store", ".step/secrets",
    ),
    "a person's own data, which programs guard": (
        "share/keyrings", "library/keychains", "*.keychain-db", ".mozilla", ".thunderbird",
        ".config/google-chrome", ".config/chromium", ".config/bravesoftware",
        "application support/google",
        "application support/firefox", "library/cookies", "roaming/mozilla",
        "local/google", "microsoft/credentials",
        "microsoft/protect", ".bash_history", ".zsh_history", ".python_history", ".psql_history",
        ".mysql_history", ".node_repl_history", "fish_history", ".bitcoin", ".ethereum", ".electrum",
    ),
    "the repository's own data, where remotes may carry passwords; the git tools read it instead": (".git",),
    "our configuration, which may hold keys": (
        ".teamwright/config.yaml", ".teamwright/config.yml", "teamwright.yaml", "teamwright.yml",
    ),
}  # fmt: skip
_HARMLESS_EXAMPLES = (".env.example", ".env.sample", ".env.template", ".env.dist", ".env.defaults")
_NEVER: Mapping[str, tuple[str, ...]] = {
    "it is Teamwright's own": (".teamwright",),
    "it steers version control, which runs what it says": (
        ".gitattributes", ".gitmodules", ".lfsconfig", ".hg", ".jj", ".sl", ".svn", ".bzr", "cvsroot",
    ),
    "an editor runs what it says when the folder is opened": (
        ".vscode", ".idea", ".zed", ".fleet", ".devcontainer", ".devcontainer.json", "*.code-workspace",
        "*.sublime-project", ".nvim.lua", ".nvimrc", ".vimrc", ".exrc", ".dir-locals.el",
    ),
    "it is run at a commit or by continuous integration": (
        ".husky", ".pre-commit-config.yaml", "lefthook.yml", ".github/workflows", ".github/actions", ".github/hooks",
        ".gitlab-ci.yml", ".gitlab/ci", ".circleci", ".buildkite", ".woodpecker", ".woodpecker.yml", ".drone.yml",
        ".travis.yml", ".cirrus.yml", "appveyor.yml", ".appveyor.yml", "azure-pipelines.yml", "bitbucket-pipelines.yml",
        "jenkinsfile",
    ),
    "agents obey it": (
        "agents.md", "agents.override.md", "claude.md", "claude.local.md", "gemini.md", "skill.md", ".claude", ".codex",
        ".gemini", ".cursor", ".cursorrules", ".windsurf", ".windsurfrules", ".clinerules", ".roo", ".roorules",
        ".aider.conf.yml", ".mcp.json", ".github/copilot-instructions.md", ".github/instructions", ".github/agents",
        ".github/prompts", ".github/chatmodes",
    ),
}  # fmt: skip
_ALWAYS_ASK: Mapping[str, tuple[str, ...]] = {
    "packages are installed by it, with what they run": (
        # JavaScript
        "package.json", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", ".yarnrc", ".yarn/", "pnpm-lock.yaml",
        "pnpm-workspace.yaml", ".pnpmfile.cjs", ".pnpmfile.mjs", "pnpmfile.js", "bun.lock", "bun.lockb", "bunfig.toml",
        "deno.json", "deno.jsonc", "deno.lock", "bower.json", ".bowerrc", "lerna.json", "rush.json", "jsr.json",
        "import_map.json", "node_modules/",
        # Python
        "setup.py", "setup.cfg", "pyproject.toml", "requirements*.txt", "requirements*.in", "requirements/",
        "constraints*.txt", "pipfile", "pipfile.lock", "poetry.lock", "poetry.toml", "uv.lock", "uv.toml", "pdm.lock",
        "pdm.toml", "pylock*.toml", "pip.conf", "pip.ini", ".condarc", "environment.yml", "environment.yaml",
        "conda-lock.yml", "pixi.toml", "pixi.lock", "hatch.toml", "manifest.in", "*.egg-info/", "*.egg-link",
        # others
        "cargo.toml", "cargo.lock", "go.mod", "go.sum", "go.work", "go.work.sum", "gemfile", "gemfile.lock", "gems.rb",
        "gems.locked", "*.gemspec", "brewfile", "podfile", "podfile.lock", "*.podspec", "cartfile", "package.swift",
        "package.resolved", "composer.json", "composer.lock", "pom.xml", "ivy.xml", "packages.config", "nuget.config",
        "*.nuspec", "paket.dependencies", "mix.exs", "mix.lock", "rebar.config", "rebar.lock", "*.cabal",
        "cabal.project*", "stack.yaml", "stack.yaml.lock", "package.yaml", "*.opam", "pubspec.yaml", "pubspec.lock",
        "project.toml", "manifest.toml", "renv.lock", "cpanfile", "*.rockspec", "*.nimble", "shard.yml", "shard.lock",
        "dub.json", "dub.sdl", "alire.toml", "project.clj", "deps.edn", "bb.edn", "vcpkg.json", "conanfile.*",
        "build.zig.zon", "elm.json", "spago.yaml", "packages.dhall", "flake.lock", "devbox.json", "devenv.*",
        "chart.yaml", "requirements.yml", "galaxy.yml",
    ),
    "it is run when the project is built": (
        "makefile", "gnumakefile", "makefile.*", "*.mk", "*.mak", "cmakelists.txt", "*.cmake", "cmakepresets.json",
        "cmakeuserpresets.json", "configure", "configure.*", "autogen.sh", "bootstrap", "bootstrap.*", "*.ninja",
        "meson.build", "meson_options.txt", "meson.options", "sconstruct", "sconscript", "wscript", "xmake.lua",
        "premake*.lua", "justfile", ".justfile", "*.just", "taskfile.yml", "taskfile.yaml", "taskfile.*.yml", "dodo.py",
        "fabfile.py", "tasks.py", "pavement.py", "build.py", "build.rs", ".cargo/", "rust-toolchain",
        "rust-toolchain.toml", "makefile.toml", "build.zig", "*.nims", "nim.cfg", "build.sh", "install.sh", "setup.sh",
        "preinstall.*", "postinstall.*", "build.cs", "*.build.cs", "*.gradle", "*.gradle.kts", "*.gradle.dcl",
        "gradle.properties", "gradle/", "gradlew", "gradlew.bat", "libs.versions.toml", "mvnw", "mvnw.cmd", ".mvn/",
        "settings.xml", "build.xml", "build.sbt", "*.sbt", ".sbtopts", ".jvmopts", "build.sc", "build.mill", "*.csproj",
        "*.fsproj", "*.vbproj", "*.vcxproj", "*.sqlproj", "*.esproj", "*.shproj", "*.proj", "*.props", "*.targets",
        "*.sln", "*.slnx", "*.rsp", "global.json", "dotnet-tools.json", "*.pubxml", "rakefile", "*.rake", "setup.hs",
        "dune", "dune-project", "dune-workspace", "*.xcodeproj/", "*.xcworkspace/", "*.pbxproj", "*.xcconfig",
        "*.xcscheme", "build.yaml", "build", "build.bazel", "workspace", "workspace.bazel", "workspace.bzlmod",
        "module.bazel", "module.bazel.lock", "*.bzl", ".bazelrc", "*.bazelrc", ".bazelversion", "tools/bazel", "buck",
        "buck2", ".buckconfig", "pants.toml", "pants*.toml", ".plzconfig", "earthfile", "tiltfile", "skaffold.yaml",
        "*.nix", "guix.scm", "build.pl", "makefile.pl", "buf.yaml", "buf.gen.yaml", "angular.json", "nx.json",
        "turbo.json", "project.json", "gulpfile.*", "gruntfile.*", "*.config.js", "*.config.cjs", "*.config.mjs",
        "*.config.ts", "*.config.cts", "*.config.mts", "*.config.json", "*.conf.js", "*.conf.ts", ".babelrc*",
        ".swcrc", ".browserslistrc", ".postcssrc*", ".storybook/", "tsconfig.json", "tsconfig.*.json", "jsconfig.json",
        "truffle-config.js", "foundry.toml", "project.godot", "*.uproject", "*.uplugin", "packages/manifest.json",
        "projectsettings/", "conf.py", "mkdocs.yml", "mkdocs.yaml", "_config.yml", "book.toml", "*.spec", "pkgbuild",
        "debian/rules", "snapcraft.yaml", "*.flatpak*",
    ),
    "it is run with the tests or by checkers": (
        "conftest.py", "pytest.ini", ".pytest.ini", "tox.ini", "tox.toml", "noxfile.py", ".coveragerc", "mypy.ini",
        ".mypy.ini", "pylintrc", ".pylintrc", ".flake8", "ruff.toml", ".ruff.toml", ".bandit", "spec_helper.rb",
        "rails_helper.rb", "test_helper.rb", ".rspec", ".rubocop.yml", ".simplecov", "guardfile", "dangerfile*",
        "phpunit.xml*", "phpstan.neon*", "psalm.xml*", "rector.php", ".php-cs-fixer*", "jest.setup.*", ".mocharc*",
        ".nycrc*", ".c8rc*", ".eslintrc*", ".prettierrc*", ".stylelintrc*", ".remarkrc*", ".lintstagedrc*",
        ".commitlintrc*", ".golangci.y*ml", ".golangci.toml", "magefile.go", "magefiles/", ".air.toml", ".credo.exs",
        ".formatter.exs", ".luacheckrc", ".busted", "analysis_options.yaml", ".clang-tidy", "nextest.toml",
        "sonar-project.properties", ".swiftlint.yml", "codecov.yml", "megalinter.yml", ".mega-linter.yml", "trunk.yaml",
        ".trunk/",
    ),
    "an interpreter runs it whenever it starts": (
        "sitecustomize.py", "usercustomize.py", "*.pth", "pyvenv.cfg", ".pdbrc", ".pythonrc*", ".venv/", "venv/",
        "site-packages/", "dist-packages/", ".ipython/", ".jupyter/", "ipython_config.py", "jupyter_*config.py",
        ".irbrc", ".pryrc", ".iex.exs", ".ghci", ".rprofile", "rprofile.site", ".renviron", "startup.jl", ".psqlrc",
        ".sqliterc", ".gdbinit", ".lldbinit", ".user.ini", ".htaccess", "php.ini", "web.config", "config.ru",
    ),
    "a shell or a tool's switch runs it when somebody goes there": (
        "mise.toml", "mise.*.toml", ".mise.toml", ".mise.*.toml", ".mise/", "mise/", ".rtx.toml", ".tool-versions",
        ".asdfrc", ".nvmrc", ".node-version", ".python-version", ".ruby-version", ".java-version", ".sdkmanrc",
        ".direnv/", ".direnvrc", "direnvrc", ".autoenv", ".env.fish", ".bashrc", ".bash_profile", ".bash_login",
        ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc",
        ".cshrc", ".tcshrc", ".login", ".logout", ".inputrc", ".config/", ".local/", "config.fish", ".xinitrc",
        ".xprofile", ".xsession", ".pam_environment", ".tmux.conf", ".screenrc", ".gitconfig", ".hgrc", ".wgetrc",
        ".curlrc", "*.desktop", "*.service", "*.timer", "*.plist", "crontab", "autorun.inf", "desktop.ini", "*.lnk",
        "*.url", "*.scr", "*.reg", "*.hta", "*.command", "library/launchagents/",
    ),
    "a container or a deployment is made of it": (
        "dockerfile", "dockerfile.*", "*.dockerfile", "containerfile", "containerfile.*", "docker-compose*.y*ml",
        "compose.y*ml", "compose.*.y*ml", "docker-bake.*", "procfile", "procfile.*", "vagrantfile", "*.tf", "*.tf.json",
        "terragrunt.hcl", "ansible.cfg", "serverless.y*ml", "netlify.toml", "vercel.json", "now.json", "wrangler.*",
        "firebase.json", "fly.toml", "render.yaml", "app.yaml", "app.json", "cloudbuild.y*ml", "buildspec.y*ml",
        "capfile", "fastlane/", "fastfile", ".replit", ".gitpod.yml", ".gitpod.dockerfile", ".codesandbox/",
        ".stackblitzrc", ".readthedocs.y*ml", "devfile.yaml", ".devfile.yaml",
    ),
    "it is run at a commit, a push or a merge": (
        ".github/", ".gitlab/", ".gitea/", ".forgejo/", ".teamcity/", ".jenkins/", ".azure-pipelines/", ".pipelines/",
        ".ci/", "*.jenkinsfile", "jenkinsfile.*", ".pre-commit-hooks.yaml", ".pre-commit-config.yml", "prek.toml",
        "lefthook.*", ".lefthook.*", "lefthook-local.*", ".lefthook-local.*", ".lefthook/", ".overcommit.yml",
        ".git-hooks/", ".githooks/", "githooks/", ".hooks/", "hooks/", ".simple-git-hooks*", ".huskyrc*",
        "renovate.json*",
        ".renovaterc*", ".releaserc*", ".goreleaser.y*ml", ".woodpecker.yaml", ".drone.yaml", "azure-pipelines.yaml",
        "head", "packed-refs",
    ),
    "an editor or its helper runs what it says": (
        ".vim/", ".nvim/", ".lvimrc", "_vimrc", ".vimrc.local", ".nvim-*.lua", ".gvimrc", "init.lua", "init.vim",
        "init.el", ".emacs", ".emacs.d/", ".dir-locals-2.el", ".projectile", ".helix/", ".kakrc", ".nova/", ".theia/",
        ".vs/", "*.iml", ".settings/", ".project", ".classpath", ".factorypath", "*.sublime-*", ".ycm_extra_conf.py",
        ".clangd", ".ccls", "compile_commands.json", "compile_flags.txt", ".luarc.json*", "hie.yaml", ".lsp.json",
        "launch.json", "tasks.json", "pyrightconfig.json", ".omnisharp.json", "omnisharp.json", ".solargraph.yml",
    ),
    "agents obey it, or take programs from it": (
        "mcp.json", "mcp*.json", ".mcp/", ".mcp.*.json", ".aider*", ".continue/", ".continuerules", ".cline/",
        ".kilocode/", ".amazonq/", ".junie/", ".kiro/", ".augment/", ".augment-guidelines", ".opencode/",
        "opencode.json*", ".crush*", "crush.md", "crush.json", ".goosehints", ".goose/", ".copilot/",
        "copilot-instructions.md", ".agents/", ".agent/", ".ai/", ".trae/", ".qodo/", ".qwen/", "qwen.md", ".tabnine/",
        ".cody/", ".warp/", "warp.md", ".openhands/", ".devin/", ".factory/", ".serena/", ".rules", ".rules/",
        ".prompts/", "*.prompt.md", "*.instructions.md", "*.chatmode.md", "*.agent.md", "*.mdc", "agent.md",
        ".cursorignore", ".aiignore", ".geminiignore", ".aiderignore",
    ),
}  # fmt: skip

# A secret is neither read nor written; a control file is read, never written.
Protection = Literal["secret", "control"]


def _expression(pattern: str) -> str:
    return re.escape(pattern).replace(r"\*", "[^/]*")


def _anything_below(groups: Iterable[tuple[str, ...]]) -> re.Pattern[str]:
    return re.compile("/(?:" + "|".join(_expression(each) for group in groups for each in group) + ")/")


def _named(patterns: tuple[str, ...]) -> re.Pattern[str]:
    folders = [_expression(each.removesuffix("/")) for each in patterns if each.endswith("/")]
    files = [_expression(each) for each in patterns if not each.endswith("/")]
    below = f"/(?:{'|'.join(folders)})/|" if folders else ""
    return re.compile(f"{below}/(?:{'|'.join(files)})/$")


_SECRET_PATH = _anything_below(_SECRETS.values())
_CONTROL_PATH = _anything_below(_NEVER.values())
_ASKING_PATHS = {reason: _named(patterns) for reason, patterns in _ALWAYS_ASK.items()}


def protection_of(parts: tuple[str, ...]) -> Protection | None:
    path = _compared(parts)
    if _SECRET_PATH.search(path):
        return "secret"
    return "control" if _CONTROL_PATH.search(path) else None


def is_secret(parts: tuple[str, ...]) -> bool:
    """All that matters to a reader."""
    return _SECRET_PATH.search(_compared(parts)) is not None


def secrets_among(directory: str, names: Sequence[str]) -> list[str]:
    """Those names in a directory that are secret, for whoever has very many of them to look at."""
    plain = [name for name in names if name.isascii() and name[-1:] not in {".", " "} and ":" not in name]
    # Patterns name two parts at most.
    before = f"/{folded(directory)}/"
    listed = f"/\n{before}".join(plain).lower()
    suspects = plain if plain and _SECRET_PATH.search(f"{before}{listed}/\n") else []
    unusual = set(names).difference(plain) if len(plain) < len(names) else ()
    return [name for name in (*suspects, *unusual) if is_secret((directory, name))]


def reason_to_ask(parts: tuple[str, ...]) -> str | None:
    """Why no policy may write the file though a person may have it written, in words that follow its name; or None."""
    path = _compared(parts)
    return next((reason for reason, pattern in _ASKING_PATHS.items() if pattern.search(path)), None)


def _compared(parts: tuple[str, ...]) -> str:
    names = [folded(part) for part in parts]
    if names and names[-1] in _HARMLESS_EXAMPLES:
        names.pop()
    return "/" + "/".join(names) + "/"
