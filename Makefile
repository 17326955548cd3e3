# `make demo` and `make test` need Python 3.11 or newer and nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEV_STAMP := $(VENV)/.installed-dev
# pip would compile every file, on one core; most of them belong to packages of which a few are used.
PIP := $(BIN)/python -m pip install --quiet --no-compile --constraint constraints.txt
COMPILE := $(BIN)/python -m compileall -q -j 0 -x '/(oci|rllib|scipy|sklearn|sympy|tests|torch|transformers)/' $(VENV)/lib/python3*/site-packages

.PHONY: install demo test test-llm lint types tests format clean help

help:
	@echo "make install   make .venv with the clew command in it"
	@echo "make demo      index the example documents, ask, and check the answers (offline)"
	@echo "make test      lint, strict types and all tests"
	@echo "make test-llm  a suite against a real language model: CLEW_TEST_LLM=openai:MODEL@URL,"
	@echo "               or a small one that is fetched and built here (500 MB, 20 minutes)"

install: $(STAMP)

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "clew needs Python 3.11 or newer; try: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(STAMP): pyproject.toml constraints.txt packages/clew-minilm/pyproject.toml | $(VENV)/bin/python
	$(PIP) --editable packages/clew-minilm --editable .
	@touch $@

$(DEV_STAMP): $(STAMP)
	$(PIP) --editable packages/clew-minilm --editable '.[dev]'
	$(COMPILE) > /dev/null 2>&1 || true  # some files are templates
	@touch $@

demo: $(STAMP)
	$(BIN)/clew demo

lint: $(DEV_STAMP)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(DEV_STAMP)
	$(BIN)/mypy

test: lint
	@$(MAKE) --no-print-directory --jobs 2 types tests

tests: $(DEV_STAMP)
	$(BIN)/pytest -n auto --dist loadgroup --no-loadscope-reorder

test-llm: $(DEV_STAMP)
	$(BIN)/python tests/llm/small_model.py run -- \
		$(BIN)/pytest tests/llm --force-enable-socket --timeout 1800

format: $(DEV_STAMP)
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
