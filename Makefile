# `make demo` and `make test` need Python 3.11 or newer and nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEV_STAMP := $(VENV)/.installed-dev

.PHONY: install demo test lint types format clean help

help:
	@echo "make install   make .venv with the clew command in it"
	@echo "make demo      index the example documents, ask, and check the answers (offline)"
	@echo "make test      lint, strict types and all tests"

install: $(STAMP)

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "clew needs Python 3.11 or newer; try: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(STAMP): pyproject.toml constraints.txt packages/clew-minilm/pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable packages/clew-minilm --editable .
	@touch $@

$(DEV_STAMP): $(STAMP)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable packages/clew-minilm --editable '.[dev]'
	@touch $@

demo: $(STAMP)
	$(BIN)/clew demo

lint: $(DEV_STAMP)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(DEV_STAMP)
	$(BIN)/mypy

test: lint types
	$(BIN)/pytest -n auto

format: $(DEV_STAMP)
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
