# Everything there is to run: make demo, social, transit, test, attack, bench, bench-large, soak, fuzz, sanitize, format, reference, serve.
# Missing Debian packages are installed by name.

CONFIGURATION ?= release
PROGRAM = server/.build/$(CONFIGURATION)/martlet
# Where `make serve` keeps its database, its encryption key and its first admin key.
DATA ?= data
PORT ?= 8080
# The address of a PostgreSQL database for `make serve`, such as postgres://martlet@localhost/martlet; without one the
# database is a SQLite file in DATA.
DATABASE ?=
# For how long `make fuzz` feeds each of its targets, and which one when it is not to be all of them.
SECONDS ?= 600
TARGET ?=
# How long `make soak` goes on; every case runs once at least, which takes about half an hour.
MINUTES ?= 10

# On a terminal `make demo` goes on after the table until Ctrl-C, with a link into the console; elsewhere with KEEP=1.
KEEP ?=

# What `make sanitize` runs, such as 'thread sdk': a sanitizer, packages (sdk, server) or test targets; everything without it.
ONLY ?=

# Flags for `make transit`, such as --seed 7.
WEEK ?=

# How many devices and deliveries `make bench-large` fills its database with: a million deliveries take it some 20 seconds to a
# minute and 100 to 200 MB in the temporary folder.
DEVICES ?= 1000000
DELIVERIES ?= 10000000

.PHONY: help build demo social transit test attack bench bench-large soak fuzz sanitize format reference serve

help:
	@echo "make demo     builds Martlet, sends through a simulated APNs, and shows what became of every delivery"
	@echo "              and, on a terminal or with KEEP=1, stays until Ctrl-C with a link into the console"
	@echo "make social   plays the notices of a social app, over the API of Amazon SNS and over REST: examples/social"
	@echo "make transit  a transit system for a week, in two minutes, with an audit at the end: examples/transit"
	@echo "make serve    builds Martlet and runs the server: DATA=$(DATA) PORT=$(PORT) DATABASE=postgres://…"
	@echo "make test     runs every test there is"
	@echo "make attack   attacks a server with what strangers try, and prints what got through"
	@echo "make bench    measures, beside the floor in the same minute"
	@echo "make bench-large measures the console's pages: DEVICES=$(DEVICES) DELIVERIES=$(DELIVERIES)"
	@echo "make soak     faults while 100,000 deliveries run, and an audit after each: MINUTES=$(MINUTES)"
	@echo "              or about 30, which all cases take once"
	@echo "make fuzz     feeds bad bytes to what reads them: SECONDS=$(SECONDS) for each TARGET"
	@echo "make sanitize runs the tests built for ThreadSanitizer, then for AddressSanitizer: not the fault suite, no leaks"
	@echo "              ONLY='thread sdk' is the SDK's suites under ThreadSanitizer alone"
	@echo "make format   formats the sources"
	@echo "make reference writes docs/reference.md anew, from the table of routes"

build:
	@scripts/install-packages build
	swift build --package-path server -c $(CONFIGURATION) --product martlet

demo: build
	@$(PROGRAM) demo $(if $(KEEP),--keep)

transit: build
	swift build --package-path examples/transit -c release
	@MARTLET_PROGRAM='$(CURDIR)/$(PROGRAM)' examples/transit/.build/release/transit-week $(WEEK)
	@examples/transit/.build/release/transit-matcher bench

serve: build
	@MARTLET_DATABASE='$(DATABASE)' exec $(PROGRAM) serve --data $(DATA) --port $(PORT)

social: build
	@scripts/install-packages python
	@PATH="$(CURDIR)/.build-python/bin:$$PATH" MARTLET_PROGRAM="$(CURDIR)/$(PROGRAM)" python3 -B examples/social/story.py

test:
	@scripts/test

attack:
	@scripts/attack

bench:
	@scripts/bench

bench-large:
	@MARTLET_BENCH_DEVICES='$(DEVICES)' MARTLET_BENCH_DELIVERIES='$(DELIVERIES)' scripts/bench STREAMS CONSOLE

soak:
	@scripts/soak $(MINUTES)

fuzz:
	@scripts/fuzz $(SECONDS) $(TARGET)

sanitize:
	@scripts/sanitize $(ONLY)

format:
	@scripts/format

reference:
	@scripts/install-packages build
	MARTLET_REFERENCE=write MARTLET_TESTS=MartletHTTPTests swift test --package-path server --filter ReferenceTests
