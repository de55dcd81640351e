# Showhow: every task of the house. `make help` lists them.
GO       ?= go
VERSION  := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
COMMIT   := $(shell git rev-parse --short HEAD 2>/dev/null)
LDFLAGS  := -s -w -X showhow/internal/version.Version=$(VERSION) -X showhow/internal/version.Commit=$(COMMIT)
FUZZTIME ?= 10s
CRASH_ROUNDS ?= 1000
ARCHS ?= amd64 arm64
export SHOWHOW_NODE_MODULES ?= $(CURDIR)/build/judges/node_modules

.DEFAULT_GOAL := help
.PHONY: help setup demo run test check race fuzz-short crash bench gen build cross clean

help: ## List the targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Install what is needed (packages, browser, npm validators); asks before using sudo
	@build/setup.sh test

demo: bin/showhow ## Perform the main job on this machine, unattended
	@build/setup.sh run
	@bin/showhow demo

run: bin/showhow ## Start the daemon for daily use and say how to begin
	@build/setup.sh run
	@bin/showhow daemon start

test: setup ## Run every test
	@$(GO) test ./...

check: ## Vet for three systems, formatting, linters, generated files, house rules
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo "run gofmt -w on these"; exit 1; }
	@$(GO) vet ./...
	@CGO_ENABLED=0 GOOS=darwin $(GO) vet ./...
	@CGO_ENABLED=0 GOOS=windows $(GO) vet ./...
	@$(GO) tool staticcheck ./...
	@$(MAKE) --no-print-directory gen
	@git diff --exit-code --stat -- docs || { echo "make gen changed files: commit them"; exit 1; }
	@sh -n build/setup.sh && bash -n .ci/run

race: setup ## Run the tests under the race detector
	@$(GO) test -race ./...

fuzz-short: ## Fuzz every target for FUZZTIME (10s)
	@set -e; for p in $$($(GO) list ./...); do \
	  for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz' || true); do \
	    echo "$$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$p; done; done

crash: ## kill -9 a capturing store CRASH_ROUNDS times (1000) and check that nothing acknowledged is lost
	@SHOWHOW_CRASH_ROUNDS=$(CRASH_ROUNDS) $(GO) test -count=1 -timeout 60m -run 'Crash' -v ./store/...

bench: setup ## Measure; prints a table and writes bench/out/bench.json
	@$(GO) run ./bench

gen: ## Write what is generated: docs/openapi.json, docs/cli.md, docs/adapters.md
	@$(GO) run ./daemon/api/gen docs/openapi.json
	@$(GO) run ./cli/gen docs

build: bin/showhow ## Build bin/showhow

bin/showhow: FORCE
	@CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $@ .

cross: ## Build for Linux, macOS and Windows without cgo
	@set -e; for os in linux darwin windows; do for arch in $(ARCHS); do \
	  CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build -o /dev/null . && echo "$$os/$$arch builds"; done; done

clean: ## Remove what was built
	@rm -rf bin bench/out

FORCE:
