# PYTHON=... names the Python to use, VENV=... the folder of the environment, PAPER=... the paper of the handouts.
VENV ?= .venv
PYTHON ?=
UPGRADE ?=
COUNT ?= 100000
SEED ?= 20261124
PAPER ?=
export VENV PYTHON UPGRADE PAPER

.DEFAULT_GOAL := help
.PHONY: help handouts everything dev test quick lint format browser benchmarks soak lock clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

handouts: ## set up from a bare machine on, and print the first sheets and a battle; PAPER=letter chooses the paper
	@sh setup/prepare.sh run
	@sh setup/handouts.sh

everything: ## print every sheet, card, battle and thing to cut out for A4 and Letter into output/
	@sh setup/prepare.sh run
	@$(VENV)/bin/fieldpress build all --paper a4 --paper letter --out output
	@$(VENV)/bin/fieldpress build all --only markers --paper a4 --paper letter --out output

dev: ## set up what it takes to work on the project
	@sh setup/prepare.sh dev

test: dev ## the whole check: format, lint, types, floors, all tests
	@sh setup/check.sh all

quick: dev ## the same without the slow tests
	@sh setup/check.sh quick

lint: dev ## the same without any test
	@sh setup/check.sh lint

format: dev ## bring the code into shape
	@$(VENV)/bin/ruff check --fix --exit-zero .
	@$(VENV)/bin/ruff format .

browser: dev ## drive the site in Chromium, with checks for readers with a disability (Debian: apt-get install chromium)
	@$(VENV)/bin/python -m pip install --disable-pip-version-check --quiet playwright axe-playwright-python
	@$(VENV)/bin/pytest -q tests/unit/test_browser.py

benchmarks: dev ## time what has been made fast on purpose
	@set -e; for one in benchmarks/*.py; do echo "== $$one"; $(VENV)/bin/python "$$one"; done

soak: dev ## roll scenarios (SEEDS=50 for each game), feed broken files to all readers (COUNT=1000 SEED=7)
	@$(VENV)/bin/pytest -m soak
	@$(VENV)/bin/python setup/soak.py $(SEEDS)
	@$(VENV)/bin/python setup/fuzz.py $(COUNT) $(SEED)

lock: dev ## write requirements/*.lock from pyproject.toml; UPGRADE=1 takes newer versions
	@sh setup/lock.sh

clean: ## remove what was made, except the environment
	@rm -rf dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find generator tests benchmarks -name __pycache__ -prune -exec rm -rf {} +
	@find output -mindepth 1 -maxdepth 1 ! -name .gitkeep -exec rm -rf {} +
