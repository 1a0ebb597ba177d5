# Every target sets up what it needs in .venv by itself; the second time that takes no time.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: play test check engine bench fuzz format clean

play: $(READY)            ## play in the browser; without a screen: two players in the terminal
	$(BIN)/spielleiter play

test: $(READY)            ## all tests, on two cores
	@DEBIAN_FRONTEND=noninteractive tests/chromium.sh
	$(BIN)/python -m pytest -q -n 2

check: $(READY)           ## format, lint, types, layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@if command -v cargo >/dev/null; then $(MAKE) --no-print-directory engine; else echo "no Rust compiler: the engine is not checked"; fi

engine: $(READY)          ## the engine in Rust: format, lint, tests, and its stub
	cd engine && cargo fmt --check && cargo clippy --quiet --all-targets -- -D warnings && cargo test --quiet --release
	cd engine && cargo clippy --quiet --features python --lib -- -D warnings
	$(BIN)/python -m mypy.stubtest spielleiter._engine

bench: $(READY)           ## the figures of bench/, with the reference's beside them
	$(BIN)/python -m bench.rules
	$(BIN)/python -m bench.server
	$(BIN)/python -m bench.match
	$(BIN)/python -m bench.contest
	@if command -v cargo >/dev/null; then cd engine && cargo run --quiet --release --bin workbench speed && cargo run --quiet --release --bin workbench search; else echo "no Rust compiler: no figures of the engine"; fi

format: $(READY)          ## mend what can be mended by itself
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

ENGINE := $(shell find engine/src engine/Cargo.toml .cargo/config.toml)

$(READY): pyproject.toml constraints.txt $(ENGINE)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; try: make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[all]'
	@touch $(READY)

clean:
	rm -rf .venv build dist *.egg-info src/*.egg-info

FUZZ_SECONDS ?= 300
fuzz: $(READY)            ## look for inputs that break the readers; FUZZ_SECONDS says how long
	$(BIN)/python -m pip install --quiet --constraint constraints.txt atheris
	mkdir -p fuzz/corpus
	$(BIN)/python fuzz/everything.py -max_total_time=$(FUZZ_SECONDS) -max_len=4096 fuzz/corpus fuzz/seeds
