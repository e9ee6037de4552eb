# Everything sets itself up: a virtual environment in .venv with pinned packages, made anew when the pins change.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
READY := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help run test lint bench docs format clean

help: ## show the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

$(READY): requirements/dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Armillary needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ..."; exit 1; }
	@echo "Setting up $(VENV) (once, a minute or two) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(PY) -m pip install --quiet --disable-pip-version-check -r requirements/dev.txt
	@$(PY) -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $(READY)

run: $(READY) ## derive, generate, compile and evaluate the RX-90's inverse dynamics
	@$(PY) examples/rx90.py

test: $(READY) ## run all tests
	@$(PY) -m pytest -n auto --dist worksteal

lint: $(READY) ## ruff, pyright
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m pyright

bench: $(READY) ## measure against peers; writes benchmarks/results.json and the README's table
	@$(PY) -m benchmarks; status=$$?; $(PY) -m benchmarks.readme; exit $$status

docs: $(READY) ## build the documentation, strictly
	@NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict --quiet

format: $(READY) ## let ruff format and mend what it can
	@$(PY) -m ruff check --fix --quiet . ; $(PY) -m ruff format --quiet .

clean: ## remove what was made
	rm -rf $(VENV) site build dist benchmarks/.build
