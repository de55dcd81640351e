# All tasks of the project; `make help` lists them.
GO       ?= go
comma    := ,
VERSION  := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
COMMIT   := $(shell git rev-parse --short HEAD 2>/dev/null)
TRIM     ?= -trimpath
LDFLAGS  := -s -w -X showhow/internal/version.Version=$(VERSION) -X showhow/internal/version.Commit=$(COMMIT)
FUZZTIME ?= 10s
ARCHIVE_FUZZTIME ?= 10m
CRASH_ROUNDS ?= 1000
ARCHS ?= amd64 arm64
# The packages that take longest come first, so that none of them runs alone at the end; one that waits beside one that works.
PACKAGES = $$($(GO) list ./adapters/browserdom ./daemon/sandbox ./browser/player ./cli ./daemon/acceptance ./daemon/stage ./...)
# What can run two things at once is tested under the race detector, except what build/unraced.txt lists with reasons (build/raced).
RACED = $$(all=$(PACKAGES) && $(GO) run ./build/raced $$all)
UNRACED = $$(all=$(PACKAGES) && $(GO) run ./build/raced -not $$all)
# Packages run at once. Under the race detector most run one test after another, and wait for browsers, shells and clocks: with one
# package more than there are processors these are idle for a third of the time, with twice as many for less than a quarter.
RACED_AT_ONCE := -p $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) * 2)))
# Without it most are whole daemons and browsers, whose tests run in parallel within a package: the processors are busy with one more.
UNRACED_AT_ONCE := -p $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))
PARALLEL := $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) * 2)))
# Packages that are slow even without it, or whose tests all need a browser, a window or JACK.
SLOW := ./daemon/acceptance ./daemon/sandbox ./daemon/stage ./app/... ./bench/... ./demo/... ./adapters/browserdom ./browser/...
# Except SQLite, which is translated C, not our code, and three times slower with it. Nobody debugs these programs: without the data for
# debuggers they compile an eighth faster.
WITH_RACE := -race -gcflags=all=-dwarf=false $(foreach p,sqlite/lib libc,-gcflags='modernc.org/$(p)=-dwarf=false -race=false')
# Packages with tests that would still take minutes: those tests are built only without it (//go:build !race) and run separately.
HALF_RACED := ./daemon/pdf ./daemon/skill/scan
export SHOWHOW_NODE_MODULES ?= $(CURDIR)/build/judges/node_modules

# The window links the system's GTK 3 and WebKitGTK; without them the program is built without a window.
WEBKIT := $(shell for v in 4.1 4.0; do pkg-config --exists gtk+-3.0 webkit2gtk-$$v 2>/dev/null && echo $$v && break; done)
# netgo and osusergo: Go's own resolver, as in the program, and what is compiled for it is used again.
DESKTOP_TAGS := desktop,production,netgo,osusergo$(if $(filter 4.1,$(WEBKIT)),$(comma)webkit2_41)

# The pages are built when one of their sources has changed; without npm the program is built without pages, and says so.
PAGES := app/web/dist/index.html
PAGE_SOURCES := $(shell git ls-files frontend 2>/dev/null) docs/openapi.json

.DEFAULT_GOAL := help
.PHONY: compile race test-broad desktop deb test-agents test-window pages test-pages screenshots help setup demo run test test-fast midi midi-kernel check fuzz fuzz-short crash bench bench-growth bench-learn bench-trust bench-wild bench-ui gen build cross clean

help: ## List the targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Install what is needed (packages, browser, npm validators); asks before using sudo
	@build/setup.sh test

demo: bin/showhow ## Perform the main job on this machine, unattended
	@build/setup.sh run
	@bin/showhow demo

run: bin/showhow desktop ## Start the daemon for daily use, say how to begin and open the window, or print the address of the pages
	@build/setup.sh run
	@bin/showhow daemon start
	@bin/showhow app

test: setup test-pages test-window ## Run the tests, where there are goroutines under the race detector
	@packages=$(RACED) && $(GO) test $(RACED_AT_ONCE) $(WITH_RACE) -vet=off -timeout 20m $$packages
	@packages=$(UNRACED) && CGO_ENABLED=0 $(GO) test $(UNRACED_AT_ONCE) -parallel $(PARALLEL) -vet=off -timeout 40m $$packages
	@for p in $(HALF_RACED); do unraced=$$(build/unraced.sh $$p $(WITH_RACE)) && \
	  CGO_ENABLED=0 $(GO) test -vet=off -timeout 15m -run "$$unraced" $$p || exit 1; done
	@test "$$(uname)" != Linux || $(MAKE) --no-print-directory midi

test-broad: setup ## Rehearse on every kind of page that tests know, where `make test` takes one or two for each mechanism
	@KINDS=all CGO_ENABLED=0 $(GO) test -parallel $(PARALLEL) -vet=off -timeout 60m ./daemon/stage

race: setup ## Run the whole daemon's tests under the race detector too, which `make test` leaves out because they take long
	@$(GO) test $(WITH_RACE) -vet=off -timeout 60m ./daemon/acceptance ./daemon/stage

test-fast: ## Run the tests that need no browser, no window and no JACK
	@env -u CI -u DISPLAY SHOWHOW_BROWSER=none $(GO) test $$($(GO) list ./... | grep -vxF "$$($(GO) list $(SLOW))")

compile: ## Compile what is tested under the race detector, which takes longest, without linking it
	@packages=$(RACED) && $(GO) list -test -export $(WITH_RACE) $$packages >/dev/null

midi: ## Test MIDI through JACK, with cgo
	@CGO_ENABLED=1 $(GO) test -tags midi_jack ./adapters/midi

midi-kernel: ## Test MIDI on a kernel with a virtual MIDI card, in QEMU
	@build/midi-kernel.sh

check: ## Vet, type-check for macOS and Windows, formatting, linters (Go and the pages), generated files, house rules
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo "run gofmt -w on these"; exit 1; }
	@CGO_ENABLED=0 $(GO) vet ./...
	@$(GO) run ./build/crosscheck darwin windows
	@$(GO) mod tidy -diff
	@CGO_ENABLED=0 $(GO) tool staticcheck ./...
	@test "$$(uname)" != Linux || { CGO_ENABLED=1 $(GO) vet -tags midi_jack ./adapters/midi/... && CGO_ENABLED=1 CGO_CXXFLAGS=-w $(GO) vet -tags midi_rtmidi ./adapters/midi; }
	@test -z "$(WEBKIT)" || CGO_ENABLED=1 $(GO) vet -tags $(DESKTOP_TAGS) . ./app/desktop
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory frontend/node_modules/.stamp && cd frontend && npm run --silent check; \
	else echo "npm is not installed: the pages are not checked"; fi
	@$(MAKE) --no-print-directory gen
	@git diff --exit-code --stat -- docs frontend/public capture/redact || { echo "make gen changed files: commit them"; exit 1; }
	@for s in build/*.sh packaging/*.sh packaging/*/*.sh packaging/debian/*; do sh -n $$s || exit 1; done && bash -n .ci/run

test-agents: bin/showhow ## Test with Claude Code, Codex and OpenClaw themselves (npm, 1.6 GB) and a scripted model on loopback
	@cd build/agents && { cmp -s package-lock.json node_modules/.stamp || npm ci --ignore-scripts --no-fund --no-audit --loglevel=error; } && \
	  cp package-lock.json node_modules/.stamp
	@SHOWHOW_AGENTS=$(CURDIR)/build/agents/node_modules SHOWHOW_BIN=$(CURDIR)/bin $(GO) test -count=1 -timeout 20m -v ./app/e2e/agents

fuzz-short: ## Fuzz every target for FUZZTIME (10s)
	@set -e; for p in $$($(GO) list ./...); do \
	  for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz' || true); do \
	    echo "$$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$p; done; done

fuzz: ## Fuzz the unpacking of foreign archives for ARCHIVE_FUZZTIME (10m): nothing may be written outside
	@$(GO) test -run '^$$' -fuzz '^FuzzUnpack$$' -fuzztime $(ARCHIVE_FUZZTIME) ./daemon/skill/archive

crash: ## kill -9 a capturing store CRASH_ROUNDS times (1000), and a daemon before each step of a pull; check that nothing is lost or half
	@SHOWHOW_CRASH_ROUNDS=$(CRASH_ROUNDS) $(GO) test -count=1 -timeout 60m -run 'Crash' -v ./store/... ./daemon/acceptance

bench: setup ## Measure; prints a table and writes bench/out/bench.json
	@$(GO) run ./bench

bench-growth: ## Measure whether abilities stay healthy over a simulated year; prints a table and writes bench/out/bench-growth.json
	@$(GO) run ./bench/growth

bench-learn: setup ## Measure learning over the corpus; prints a table and writes bench/out/bench-learn.json
	@$(GO) run ./bench/learn

bench-trust: setup ## Measure scanning, drift and the sandbox; prints a table and writes bench/out/bench-trust.json
	@$(GO) run ./bench/trust

bench-wild: setup bench/wild/libs/dist/.stamp ## Measure learning on drawn applications, N of them or for BUDGET (10m); APPS=NAME,... or all: real programs
	@$(GO) run ./bench/wild

# npm installs exactly what the lock file says, and runs no install scripts (one library would report where it is used); without npm
# there are only plain pages.
bench/wild/libs/dist/.stamp: $(shell git ls-files bench/wild/libs 2>/dev/null)
	@if command -v npm >/dev/null; then cd bench/wild/libs && \
	  { cmp -s package-lock.json node_modules/.stamp || npm ci --ignore-scripts --no-fund --no-audit --loglevel=error; } && \
	  cp package-lock.json node_modules/.stamp && \
	  npm run --silent build && touch dist/.stamp; \
	else echo "npm is not installed: pages are drawn in plain HTML only"; fi

bench-ui: bin/showhow ## Measure the pages in a browser; prints a table and writes bench/out/bench-ui.json
	@$(GO) build -o bin/stage ./app/e2e/stage && cd frontend && npx --no -- playwright test -c bench --reporter=dot

gen: ## Write what is generated: docs/openapi.json, docs/cli.md, docs/adapters.md, docs/scanning.md, gitleaks' rules, the list of licences
	@$(GO) run ./daemon/api/gen docs/openapi.json
	@$(GO) run ./cli/gen docs
	@$(GO) run ./internal/lang/gen docs/languages.md
	@$(GO) run ./capture/redact/gen capture/redact/gitleaks
	@$(GO) run ./app/web/gen frontend/public/licences.json frontend/package-lock.json

build: bin/showhow desktop deb ## Build bin/showhow, the window where GTK and WebKitGTK are, and a Debian package where dpkg is

desktop: pages
	@if [ -n "$(WEBKIT)" ]; then CGO_ENABLED=1 $(GO) build $(TRIM) -tags $(DESKTOP_TAGS) -ldflags '$(LDFLAGS)' -o bin/showhow-desktop .; \
	else rm -f bin/showhow-desktop; echo "GTK 3 or WebKitGTK is not installed: this build has no window (Debian: libgtk-3-dev libwebkit2gtk-4.1-dev)"; fi

deb: bin/showhow desktop ## Build a Debian package from bin
	@if command -v dpkg-deb >/dev/null; then packaging/deb.sh "$(VERSION)"; else echo "dpkg is not installed: no Debian package is made"; fi

test-window: bin/showhow ## Test the real window under Xvfb, through its accessibility tree
	@$(MAKE) --no-print-directory desktop
	@if [ -x bin/showhow-desktop ]; then $(GO) build -o bin/stage ./app/e2e/stage && \
	  SHOWHOW_WINDOW=$(CURDIR)/bin $(GO) test -count=1 -timeout 10m ./app/e2e/window; else echo "the window is not tested"; fi

bin/showhow: pages FORCE
	@CGO_ENABLED=0 $(GO) build $(TRIM) -ldflags '$(LDFLAGS)' -o $@ .
	@CGO_ENABLED=0 $(GO) build $(TRIM) -ldflags '-s -w' -o bin/showhow-hook ./adapters/receipts/hook

pages: $(PAGES)

$(PAGES): $(PAGE_SOURCES)
	@if command -v npm >/dev/null; then \
	  echo "Building the pages"; $(MAKE) --no-print-directory frontend/node_modules/.stamp && cd frontend && npm run --silent build; \
	else echo "npm is not installed: this build has no pages"; fi

# npm installs exactly what the lock file says.
frontend/node_modules/.stamp: frontend/package-lock.json
	@cd frontend && { cmp -s package-lock.json node_modules/.stamp || npm ci --ignore-scripts --no-fund --no-audit --loglevel=error; } && cp package-lock.json node_modules/.stamp

test-pages: bin/showhow ## Test the pages: components, then the whole journey in a browser against a real daemon
	@if command -v npm >/dev/null; then \
	  $(GO) build -o bin/stage ./app/e2e/stage && cd frontend && npm run --silent test && \
	  { npm run --silent e2e || { cat test-results/*/error-context.md; exit 1; }; }; \
	else echo "npm is not installed: the pages are not tested"; fi

screenshots: bin/showhow ## Write a picture of every screen, light and dark, to bench/out/screenshots
	@$(GO) build -o bin/stage ./app/e2e/stage && cd frontend && SHOWHOW_SCREENSHOTS=$(CURDIR)/bench/out/screenshots npm run --silent e2e

cross: ## Build for Linux, macOS and Windows without cgo
	@set -e; for os in linux darwin windows; do for arch in $(ARCHS); do \
	  CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build -o /dev/null . ./adapters/receipts/hook && echo "$$os/$$arch builds"; done; done

clean: ## Remove what was built
	@rm -rf bin bench/out

FORCE:
