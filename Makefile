# What people type. `make` alone lists it.
SHELL := /bin/bash
# The system's own where it is new enough: it is built with a profile of what Python does, and those that version
# managers build often are not, which takes up to a fifth more time for everything.
PYTHON ?= $(or $(firstword $(foreach python,/usr/bin/python3 python3,$(shell \
  $(python) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(python)))),python3)
UV_VERSION := 0.13.9
VENV := .venv
PY := $(VENV)/bin/python
UV := $(VENV)/bin/uv

# Some machines set it; then every process compiles every module anew.
unexport PYTHONDONTWRITEBYTECODE
# Whatever is started from here is for this machine alone, whoever's servers it uses: no TLS, no secrets asked for.
export TILTYARD_EMBEDDED ?= 1

.DEFAULT_GOAL := help
.PHONY: help install demo test serve lint peers lock clean
.DELETE_ON_ERROR:

help:  ## list the targets
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18
	@echo
	@echo "  With DATABASE_URL (PostgreSQL 15+) and REDIS_URL (Redis 7+ or Valkey) set, no server is started here."

install: $(VENV)/.demo  ## set up, run nothing

demo: $(VENV)/.demo  ## set up, play four events and print an account of them
	$(PY) manage.py demo $(ARGS)

serve: $(VENV)/.demo  ## play the demo if need be, then serve http://127.0.0.1:8000 until Ctrl-C
	$(PY) manage.py serve $(ARGS)

# A file stays with one process: what its tests share is made once.
test: $(VENV)/.test  ## run every test (ARGS="-k words" for some)
	$(PY) -m pytest -n auto --maxprocesses=4 --dist=loadfile --no-loadscope-reorder $(ARGS)

peers: $(VENV)/.bench  ## install what our benchmarks are compared with

lint: $(VENV)/.lint  ## check style, types, templates and migrations
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	find templates -name '*.html' -print0 | xargs -0 -r $(VENV)/bin/djade --check --target-version 5.2
	$(PY) manage.py makemigrations --check --dry-run

# Universal, so that one file serves every Python and platform. Not uv.lock: that one names a registry on every line.
COMPILE := $(UV) pip compile -q pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header --no-annotate
lock: $(VENV)/bin/python  ## pin what pyproject.toml asks for, by hash (ARGS="--upgrade" for newer releases)
	$(COMPILE) $(ARGS) --group lint -o requirements/lint.txt
	$(COMPILE) -c requirements/lint.txt --group test -o requirements/test.txt
	$(COMPILE) -c requirements/lint.txt --group embedded -o requirements/demo.txt
	$(COMPILE) -c requirements/lint.txt --group bench -o requirements/bench.txt
	$(COMPILE) -c requirements/lint.txt -o requirements/run.txt

clean:  ## throw away the environment and the embedded servers' data
	if [ -e $(VENV)/.demo ] || [ -e $(VENV)/.test ]; then $(PY) -m config.embedded clean; fi
	rm -rf $(VENV) .local staticfiles .pytest_cache .mypy_cache .ruff_cache .hypothesis

# Debian's python3 has no ensurepip without python3-venv, and its pip will not install outside a virtual environment:
# make one without pip and fill it from outside. uv takes a quarter of pip's time; where it will not run, pip does it.
$(VENV)/bin/python:
	$(PYTHON) -m venv --without-pip $(VENV)
	-$(PYTHON) -m pip --python $(PY) install -q --disable-pip-version-check --root-user-action=ignore uv==$(UV_VERSION)

$(VENV)/.demo $(VENV)/.test $(VENV)/.lint $(VENV)/.bench: $(VENV)/.%: requirements/%.txt | $(VENV)/bin/python
	@echo "Installing requirements/$*.txt"
	@$(UV) pip install -q --compile-bytecode --python $(PY) -r $< || \
	  $(PYTHON) -m pip --python $(PY) install -q --disable-pip-version-check --root-user-action=ignore -r $<
	@touch $@
