# One door for people and CI. Needs the Swift toolchain alone, but for Python 3 in `docs` and `coverage`, pip in
# `newest-curl`, openssl in `integration`, clang in `sanitize` and nginx in `bench`; only `newest-curl`, `integration`,
# `bench` and `storm` fetch packages.

SWIFT ?= swift
# CI turns warnings into errors, so that they are mended before they are many; and what no debugger looks into is built
# without what a debugger needs.
FLAGS := $(if $(CI),-Xswiftc -warnings-as-errors -debug-info-format none)
# Eight tests at a time: all at once would share two cores with those that have a limit of time.
TEST := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8 $(SWIFT) test
# What needs packages from elsewhere is one package, and built in one way, as both of its parts need most of them. That is
# `swift build`: `swift test` would build all of them anew, for internals of theirs to be seen.
PACKAGES := --configuration release -debug-info-format none --package-path Tests
BENCHMARKS := $(SWIFT) run $(PACKAGES) Benchmarks
# Optimized, for speed is judged too; and internals are to be seen by those who try them.
FUZZ := $(SWIFT) run --configuration release -debug-info-format none -Xswiftc -enable-testing --package-path Tests/Fuzz
SOURCES := Package.swift Sources Tests/StartSmallTests Tests/StartSmallTestingTests Tests/GitHubAPITests \
	Tests/QiitaAPITests Tests/StartSmallToolTests Tests/DocumentationTests Tests/MainActorByDefaultTests Tests/ParityTrait Tests/Package.swift Tests/Benchmarks \
	Tests/Integration Tests/Fuzz/Package.swift Tests/Fuzz/Sources Tests/ThirtyTwoBits \
	Docs/Examples/GitHubBrowser/Package.swift \
	Docs/Examples/GitHubBrowser/Sources Docs/Examples/GitHubBrowser/Tests

.DEFAULT_GOAL := help
.PHONY: run test lint layers apple format docs examples newest-curl integration coverage api sanitize storm fuzz soak bench \
	ci help clean

run: ## Shows the main job: calls over real sockets on this machine
	$(SWIFT) run $(FLAGS) start-small demo

test: ## Runs all tests; none of them leaves the machine
	$(TEST) $(FLAGS)

lint: ## Checks form and documentation
	$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)

layers: ## Type-checks each layer of Sources/StartSmall with those to its left alone, so that none uses a later one
	SWIFT=$(SWIFT) Tests/Layers/run.sh

# What only Apple platforms compile, compiled here, so that a mistake in it is found without a Mac: see CONTRIBUTING.
apple: ## Compiles on Linux what Apple platforms compile, and what has to fit into 32 bits, with warnings as errors
	APPLE_BRANCH=1 $(SWIFT) build --build-tests --scratch-path .build/apple -Xswiftc -warnings-as-errors \
		-debug-info-format none
	SWIFT=$(SWIFT) Tests/ThirtyTwoBits/run.sh

format: ## Puts the sources into form
	$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

docs: ## Builds the documentation site into .build/docs, and checks that all that is public is documented
	Docs/build.sh

examples: ## Runs the tests of the apps in Docs/Examples
	$(SWIFT) test $(FLAGS) --package-path Docs/Examples/GitHubBrowser

newest-curl: ## Runs the tests of the engine for Linux over the newest libcurl, which is fetched from PyPI first
	SWIFT=$(SWIFT) Tests/NewestCurl/run.sh $(FLAGS)

# One test at a time: with all at once, the servers starve each other on two cores.
integration: ## Runs the engines against servers from elsewhere, which are fetched and built first, and the publisher
	$(SWIFT) build --build-tests $(PACKAGES)
	$(SWIFT) test --skip-build --no-parallel $(PACKAGES)

coverage: ## Prints which share of the lines of each file of Sources/StartSmall is tested, on Linux; 95 % is asked for
	SWIFT=$(SWIFT) Tests/Coverage/run.sh

api: ## Checks that whoever could use the last version can use this one
	SWIFT=$(SWIFT) Tests/API/run.sh

sanitize: ## Runs the tests under the sanitizers for addresses and for threads, on Linux
	SWIFT=$(SWIFT) Tests/Sanitizers/run.sh

storm: ## Cancels 2,000 calls at random moments 100 times, and ends 200 processes in the midst of calls, on Linux
	$(BENCHMARKS) storm

# `SECONDS=` for how long, `SEED=` for the inputs of another run again, `TARGETS=` for some parsers alone; and `TRY=` for
# one file alone, by one of them.
fuzz: ## Gives all parsers a minute of what nobody would send, and a megabyte of it at once, on Linux
	$(FUZZ) Fuzz $(if $(TRY),try $(TARGETS) $(TRY),\
		$(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED)) $(TARGETS))

# `SECONDS=` for how long, `SEED=` for the faults of another run again.
soak: ## CompositeCall for ten minutes through a stack of wrappers to a server that has a bad day, and looks at what is left, on Linux
	$(FUZZ) Soak $(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED))

# All parts, or those that are named: `make bench PARTS=calls`; `PARTS=help` lists them. Without nginx, it says so, and
# measures calls, cassettes and a large form alone; elsewhere than on Linux, calls and cassettes.
# `PARTS=slow-reader` takes two minutes, and is not among all.
bench: ## Measures what a call costs, and engines beside others over nginx
	$(BENCHMARKS) $(PARTS)

ci: ## Does what CI does on each machine, but for coverage
	.ci/run

clean: ## Removes all that was built
	rm -rf .build Tests/.build Tests/Fuzz/.build Docs/Examples/GitHubBrowser/.build

help: ## Lists these
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
