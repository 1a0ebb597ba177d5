# Every target sets up what it needs in .venv by itself; the second time that takes no time.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
PLAY := .venv/.play
DEV := .venv/.dev
SOURCES := pyproject.toml constraints.txt $(shell find engine/src engine/Cargo.toml .cargo/config.toml)
CARGO := $(shell command -v cargo)
# The tests start thousands of processes; without bytecode each of them would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play quick test check types engine bench format fuzz docs dist clean

play: $(PLAY)             ## play in the browser; without a screen: two players in the terminal
	$(BIN)/spielleiter play

quick: $(DEV)             ## the tests to run while working: no browser, database server or sandbox, nothing slow
	$(BIN)/python -m pytest -q -n 2 --dist loadfile -m "not (browser or database or sandbox or slow)"

test: $(DEV)              ## all tests, on two cores; with COVER=1 the coverage of each folder, too
	@DEBIAN_FRONTEND=noninteractive tests/system_packages.sh
	$(BIN)/python -m pytest -q -n 2 --dist loadfile --no-loadscope-reorder -rR $(if $(COVER),--cov=spielleiter --cov-report=json:build/coverage.json)
	@$(if $(COVER),$(BIN)/python -m bench.coverage build/coverage.json)

check: $(DEV)             ## format, lint, types, layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target types $(if $(CARGO),engine)
	@$(if $(CARGO),,echo "no Rust compiler: the engine is not checked")

types: $(DEV)
	$(BIN)/mypy

engine: $(DEV)            ## the engine in Rust: format, lint, tests, and its stub
	cd engine && cargo fmt --check && cargo clippy --quiet --all-targets -- -D warnings && cargo test --quiet --release
	cd engine && cargo clippy --quiet --features python --lib -- -D warnings
	$(BIN)/python -m mypy.stubtest spielleiter._engine

bench: $(DEV)             ## the numbers of bench/, beside those of the reference
	$(BIN)/python -m bench.startup
	$(BIN)/python -m bench.rules
	$(BIN)/python -m bench.rl
	$(BIN)/python -m bench.server
	$(BIN)/python -m bench.match
	$(BIN)/python -m bench.contest
	@$(if $(CARGO),cd engine && cargo run --quiet --release --bin workbench speed && cargo run --quiet --release --bin workbench search,echo "no Rust compiler: the engine is not measured")

format: $(DEV)            ## fix format and lint where that can be done automatically
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

FUZZ_SECONDS ?= 300
fuzz: $(DEV)              ## look for inputs that break the readers, for FUZZ_SECONDS
	$(PIP) install --constraint constraints.txt atheris
	$(BIN)/python -m fuzz --seconds $(FUZZ_SECONDS)

docs: $(DEV)              ## the site of the documentation, in build/docs
	$(BIN)/python docs/build.py

dist: $(DEV)              ## sdist and wheel in dist/, tried in fresh environments of every Python found here
	$(PIP) install --constraint constraints.txt --group dist
	$(BIN)/python -m release.build
	$(BIN)/python -m release.trial

clean:                    ## remove all that was made here
	rm -rf .venv build dist *.egg-info src/*.egg-info engine/target

# What playing needs: the pages and the engine.
$(PLAY): $(SOURCES) | $(BIN)/python
	@echo "Installing what playing needs (once, about a minute) ..."
	$(PIP) install --constraint constraints.txt --editable .
	@touch $@

# Everything: all extras and the tools of the group "dev", which only a newer pip than that of Python 3.11 can read.
$(DEV): $(SOURCES) | $(BIN)/python
	@echo "Installing everything for development (once, some minutes) ..."
	$(PIP) install --constraint constraints.txt --upgrade pip
	$(PIP) install --constraint constraints.txt --editable '.[all]' --group dev
	@touch $(PLAY) $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; try: make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
