# The daily commands. Each sets up what it needs by itself and is cheap when that is already there.
.DEFAULT_GOAL := help
.PHONY: help run test coverage check test-slow bench vsix generate lock format clean

BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest
# What is done in a minute or two; a mistake there ends `make test` before the long suites begin.
QUICK := $(addprefix tests/,engine protocol config permissions prompts)

REST := --ignore=tests/tidy $(addprefix --ignore=,$(QUICK))

help: ## what there is
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 20

run: ## set up, and watch a team without any key review a sample; ARGS=--yes applies its fixes to a copy
	@scripts/setup.sh run
	@.venv-run/bin/teamwright demo $(ARGS)

test: check ## set up and pass every test, the quick ones first
	@scripts/setup.sh dev
	$(PYTEST) -q -x -n auto -m "not slow" $(QUICK)
	$(PYTEST) -n auto -m "not slow" $(REST) || { \
	  echo "Once more, alone, what has failed: a test that passes now was in a hurry, and is to be mended all the same."; \
	  $(PYTEST) -v --last-failed --last-failed-no-failures none --maxfail=5 -m "not slow" $(REST); }

coverage: ## the same tests, and which lines none of them runs
	@scripts/setup.sh dev
	@mkdir -p .coverage && rm -f .coverage/data*
	$(PYTEST) -n auto -m "not slow" --ignore=tests/tidy --cov --cov-report=term

check: ## format, lint, strict types, import layers, tidy rules
	@scripts/setup.sh dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/basedpyright
	editors/neovim/tools/lint.sh
	editors/vscode/tools/lint.sh
	$(PYTEST) -q tests/tidy

test-slow: ## what takes too long for every change
	@scripts/setup.sh dev
	$(PYTEST) -m slow --ignore=tests/tidy

bench: ## ratios against a baseline measured in the same run
	@scripts/setup.sh dev
	$(BIN)/python -m tests.bench

vsix: ## the VS Code extension as editors/vscode/dist/teamwright.vsix, with the server in it
	@scripts/setup.sh dev
	@editors/vscode/build.sh

generate: ## what is generated from the types: schema, client types, documentation
	@scripts/setup.sh dev
	$(BIN)/python -m scripts.generate

format: ## format and apply safe fixes
	@scripts/setup.sh dev
	$(BIN)/ruff check --fix -q . ; $(BIN)/ruff format .
	editors/neovim/tools/lint.sh --write
	editors/vscode/tools/lint.sh --write

lock: ## resolve the lock files anew
	@scripts/setup.sh dev
	$(BIN)/uv pip compile -q --universal --no-header --python-version 3.11 --upgrade pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile -q --universal --no-header --python-version 3.11 --upgrade pyproject.toml --group dev -o requirements-dev.lock

clean: ## take away everything that was built
	rm -rf .venv .venv-run .coverage .cache .hypothesis .pytest_cache .ruff_cache dist
