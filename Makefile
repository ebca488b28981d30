# One door for people and CI. Needs nothing but the Swift toolchain.

SWIFT ?= swift
# CI turns warnings into errors, so that they are mended before they are many.
FLAGS := $(if $(CI),-Xswiftc -warnings-as-errors)
SOURCES := Package.swift Sources Tests/StartSmallTests Tests/StartSmallTestingTests Tests/GitHubAPITests \
	Tests/StartSmallToolTests Tests/DocumentationTests Tests/Benchmarks/Package.swift Tests/Benchmarks/Sources

.DEFAULT_GOAL := help
.PHONY: run test lint format docs bench ci help clean

run: ## Shows the main job: calls over real sockets on this machine
	$(SWIFT) run $(FLAGS) startsmall demo

test: ## Runs all tests; none of them leaves the machine
	$(SWIFT) test $(FLAGS)

lint: ## Checks form and documentation
	$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)

format: ## Puts the sources into form
	$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

docs: ## Builds the documentation site into .build/docs
	Docs/build.sh

bench: ## Measures what a call costs
	$(SWIFT) run --configuration release --package-path Tests/Benchmarks Benchmarks

ci: ## Does what CI does
	.ci/run

clean: ## Removes all that was built
	rm -rf .build Tests/Benchmarks/.build

help: ## Lists these
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
