# Everything there is to run: make demo, test, bench, format, serve. Missing Debian packages are installed by name.

CONFIGURATION ?= release
PROGRAM = server/.build/$(CONFIGURATION)/martlet
# Where `make serve` keeps its database, its encryption key and its first admin key.
DATA ?= data
PORT ?= 8080

.PHONY: help build demo test bench format serve

help:
	@echo "make demo     builds Martlet, sends through a simulated APNs, and shows what became of every delivery"
	@echo "make serve    builds Martlet and runs the server: DATA=$(DATA) PORT=$(PORT)"
	@echo "make test     runs every test there is"
	@echo "make bench    measures, beside the floor in the same minute"
	@echo "make format   formats the sources"

build:
	@scripts/install-packages build
	swift build --package-path server -c $(CONFIGURATION) --product martlet

demo: build
	@$(PROGRAM) demo

serve: build
	@exec $(PROGRAM) serve --data $(DATA) --port $(PORT)

test:
	@scripts/test

bench:
	@scripts/bench

format:
	@scripts/format
