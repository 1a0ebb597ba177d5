# Every target sets up what it needs in .venv by itself; the second time that takes no time.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
PLAY := .venv/.play
DEV := .venv/.dev
SOURCES := pyproject.toml constraints.txt $(shell find engine/src engine/Cargo.toml .cargo/config.toml)
CARGO := $(shell command -v cargo)
NPM := $(and $(shell command -v node),$(shell command -v npm))
NODE_TOOLS := node_modules/.installed
BIOME := node_modules/.bin/biome check --colors=off
# The tests start thousands of processes; without bytecode each of them would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play quick test lowest nightly costs audit check types scripts engine bench format fuzz soak workshop docs dist release-check clean

play: $(PLAY)             ## play in the browser; without a screen: two players in the terminal
	$(BIN)/spielleiter play

# Half of its time a process of tests waits for others: four of them keep two cores busy.
WORKERS ?= 4
quick: $(DEV)             ## the tests to run while working: no browser, database server or sandbox, nothing slow
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile -m "not (browser or database or sandbox or slow)"

test: $(DEV)              ## all tests of a day, in WORKERS processes; with COVER=1 the coverage of each folder, too
	@DEBIAN_FRONTEND=noninteractive tests/system_packages.sh
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder -rfER --durations=20 $(if $(COVER),--cov=spielleiter --cov-report=json:build/coverage.json)
	@$(if $(COVER),$(BIN)/python -m bench.coverage build/coverage.json $(FLOORS))

# What takes too long for every run, too: every variant, chance with a fresh seed, ten times the examples, longer walks.
nightly: export SPIELLEITER_NIGHTLY := 1
nightly: FUZZ_SECONDS := 3600
nightly: COVER := 1
nightly: FLOORS := --floors
nightly: $(if $(NPM),workshop) test fuzz costs lowest audit  ## all tests, with those that need a night or the engine for browsers, an hour of fuzzing (FUZZ_SECONDS), the oldest packages, and the advisories

# Without constraints.txt, which pins newer versions; the tools of the group "dev" have no lower bounds.
LOWEST := build/lowest
lowest: export SPIELLEITER_NIGHTLY :=  # Once a night every variant is enough.
lowest: $(DEV)            ## the tests of `make quick` with the oldest versions that pyproject.toml admits
	$(PIP) install --constraint constraints.txt uv
	$(BIN)/python -m uv venv --quiet --clear --seed --python $(BIN)/python $(LOWEST)
	$(BIN)/python -m uv pip install --quiet --python $(LOWEST)/bin/python --resolution lowest-direct --editable '.[all]'
	$(BIN)/python -m uv pip install --quiet --python $(LOWEST)/bin/python --group dev
	$(LOWEST)/bin/python -m pytest -q -n 2 --dist loadfile -m "not (browser or database or sandbox or slow)"

audit: $(DEV)             ## the pinned versions against the known advisories, if these can be reached
	$(PIP) install --constraint constraints.txt uv
	$(BIN)/python -m release.audit

check: $(DEV)             ## format, lint, types, layers; of Python, of the engine, and of the scripts and the style sheet of the pages
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target types $(if $(CARGO),engine) scripts
	@$(if $(CARGO),,echo "no Rust compiler: the engine is not checked")

# The second run reads the player kit as Python 3.10 does, on which the contest runs: src/spielleiter/backports.py.
KIT := $(addprefix src/spielleiter/,client games players search wire)
types: $(DEV)
	$(BIN)/mypy
	$(BIN)/mypy --python-version 3.10 --no-warn-return-any $(KIT)

scripts: $(if $(NPM),$(NODE_TOOLS))  ## the scripts and the style sheet of the pages: format, lint, types
	@$(if $(NPM),[ ! -e $(NODE_TOOLS) ] || { $(BIOME) --error-on-warnings && node_modules/.bin/tsc; },echo "no Node with npm: the scripts and the style sheet of the pages are not checked")

engine: $(DEV)            ## the engine in Rust: format, lint, tests, and its stub
	cd engine && cargo fmt --check -- src/*/mod.rs tests/golden/*.rs && cargo clippy --quiet --all-targets -- -D warnings && cargo test --quiet --release
	cd engine && cargo clippy --quiet --features python --lib -- -D warnings
	$(BIN)/python -m mypy.stubtest spielleiter._engine

costs: $(DEV)             ## what must cost little CPU time, against its limits
	$(BIN)/python -m bench.costs

bench: $(DEV)             ## the numbers of bench/, beside those of the reference
	$(BIN)/python -m bench.startup
	$(BIN)/python -m bench.costs
	$(BIN)/python -m bench.rules
	$(BIN)/python -m bench.rl
	$(BIN)/python -m bench.server
	$(BIN)/python -m bench.match
	$(BIN)/python -m bench.watch
	$(BIN)/python -m bench.contest
	@$(if $(CARGO),cd engine && cargo run --quiet --release --bin workbench speed && cargo run --quiet --release --bin workbench search,echo "no Rust compiler: the engine is not measured")

format: $(DEV) $(if $(NPM),$(NODE_TOOLS))  ## fix format and lint where that can be done automatically
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	@[ ! -e $(NODE_TOOLS) ] || $(BIOME) --write

FUZZ_SECONDS ?= 300
fuzz: $(DEV)              ## look for inputs that break the readers, for FUZZ_SECONDS
	$(PIP) install --constraint constraints.txt atheris
	$(BIN)/python -m fuzz --seconds $(FUZZ_SECONDS)

SOAK_SECONDS ?= 3600
soak: $(DEV)              ## a night: servers killed, disks full, clocks that jump, hostile clients; SOAK_SECONDS for each
	nice $(BIN)/python -m soak --seconds $(SOAK_SECONDS)

workshop: $(DEV)          ## what the workshop of this checkout needs in the browser, by npm, into build/workshop
	$(BIN)/python -m release.workshop

docs: $(DEV)              ## the site of the documentation, in build/docs
	$(BIN)/python docs/build.py

dist: $(DEV)              ## sdist and wheel in dist/, tried in fresh environments of every Python found here
	$(PIP) install --constraint constraints.txt --group dist
	$(BIN)/python -m release.build
	$(BIN)/python -m release.trial

release-check: $(DEV)     ## the checklist of a release in CONTRIBUTING.md: what takes a second first, then all the rest
	$(BIN)/python -m release.check
	@$(MAKE) --no-print-directory check test lowest audit docs dist

clean:                    ## remove all that was made here
	rm -rf .venv build dist *.egg-info src/*.egg-info engine/target node_modules

# What playing needs: the pages and the engine. The other packages come while the engine is compiled.
$(PLAY): $(SOURCES) | $(BIN)/python
	@echo "Installing what playing needs (once, about a minute) ..."
	@$(MAKE) --no-print-directory --jobs=2 dependencies extension
	@touch $@

.PHONY: dependencies extension
dependencies:
	$(PIP) install --constraint constraints.txt $$($(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"])')
extension:
	$(PIP) install --constraint constraints.txt --no-deps --editable .

# Everything: all extras and the tools of the group "dev", which only a newer pip than that of Python 3.11 can read.
$(DEV): $(SOURCES) | $(BIN)/python
	@echo "Installing everything for development (once, some minutes) ..."
	$(PIP) install --constraint constraints.txt --upgrade pip
	$(PIP) install --constraint constraints.txt --editable '.[all]' --group dev
	@touch $(PLAY) $@

# Without a network there are no such tools, and what they check is left out.
$(NODE_TOOLS): package.json .npmrc
	@rm -f $@
	@npm install --silent && touch $@ || echo "npm cannot install its tools: the scripts and the style sheet of the pages are not checked"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; try: make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
